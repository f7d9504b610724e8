import Hummingbird
import Store
import Traffic

/// How the store is, and making it small.
///
/// Both are given up when the asker leaves, but for one who may only have closed its own side (`AskerEnd`). What the store holds is the same then.
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
