import Hummingbird
import Store
import Traffic

/// The texts that may complete a query text while it is typed: what `inspect complete` prints.
struct CompletionRoutes {
    let store: StoreDoor

    /// Adds the API's address.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/complete") { request, context in
            let text = QueryItems(request.uri.query ?? "").first("q") ?? ""
            return try await store.answer(to: Asker(request, context)) {
                try $0.completions(of: text)
            } as: { texts in
                WebAnswer.json { json in
                    json.array("completions") { json in
                        for text in texts { json.string(nil, text) }
                    }
                }
            }
        }
    }
}
