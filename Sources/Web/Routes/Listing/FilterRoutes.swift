import Hummingbird
import Store
import Traffic

/// The meaning of a filter, read by the one parser of queries, and the keys of a query.
struct FilterRoutes {
    let store: StoreDoor

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/filter") { request, _ in
            let items = QueryItems(request.uri.query ?? "")
            let saved = try await store.read { try $0.savedSearches() }
            return WebAnswer.json { FilterReading(items, saved: saved, now: store.now).write(to: &$0) }
        }
        router.get("/api/v1/filter/keys") { _, _ in
            WebAnswer.json { json in
                json.array("keys") { json in
                    for key in FilterKey.all {
                        json.object { json in
                            json.string("name", key.name)
                            json.string("values", key.values)
                            json.string("example", key.example)
                        }
                    }
                }
            }
        }
    }
}
