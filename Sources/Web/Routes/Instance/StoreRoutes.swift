import Hummingbird
import Store
import Traffic

/// How the store is, and making it small.
struct StoreRoutes {
    let store: StoreDoor

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/store") { request, _ in
            let isChecked = QueryItems(request.uri.query ?? "").first("check") == "true"
            return try await store.answer(to: request) {
                try $0.report(isChecked: isChecked)
            } as: { report in
                WebAnswer.json { report.write(to: &$0) }
            }
        }
        router.post("/api/v1/compact") { _, _ in
            let result = try await store.read { try $0.compact() }
            return WebAnswer.json { json in
                json.integer("before", result.before)
                json.integer("after", result.after)
                json.boolean("logHeld", result.isLogHeld)
            }
        }
    }
}
