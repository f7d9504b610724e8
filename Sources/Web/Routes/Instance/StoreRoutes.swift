import Hummingbird
import Store
import Traffic

/// Reports the state of the store, checks the store and compacts it.
///
/// The work stops when the asker leaves, unless the asker may only have closed its own side (`AskerEnd`). What the store holds stays the same.
struct StoreRoutes {
    let store: StoreDoor

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/store") { request, context in
            let isChecked = QueryItems(request.uri.query ?? "").first("check") == "true"
            return try await store.answer(to: Asker(request, context)) {
                try $0.report(isChecked: isChecked)
            } as: { report in
                WebAnswer.json { report.write(to: &$0) }
            }
        }
        router.post("/api/v1/compact") { request, context in
            try await store.answer(to: Asker(request, context)) {
                try $0.compact()
            } as: { result in
                WebAnswer.json { json in
                    json.integer("before", result.before)
                    json.integer("after", result.after)
                    json.boolean("logHeld", result.isLogHeld)
                }
            }
        }
    }
}
