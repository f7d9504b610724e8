import Archive
import Hummingbird
import Store
import Traffic

/// One exchange whole: heads, timing, connections, and the sizes of its bodies.
struct ExchangeRoutes {
    let store: StoreDoor
    let remedyWords: TLSRemedy.Words?
    let refusalWords: ExchangeJSON.RefusalWords?

    /// Adds the API's address and the page's twin.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/exchanges/{id}") { _, context in try await show(context) }
        router.get("/exchanges/{id}.json") { _, context in try await show(context) }
    }

    private func show(_ context: WebContext) async throws -> Response {
        let exchange = try await store.exchange(context)
        let (summary, isFailureImported) = try await store.read { store in
            (try store.summaries(of: [exchange.id]).first, try store.isFailureImported(exchange))
        }
        var json = JSONWriter()
        let record = ExchangeRecord(exchange: exchange, summary: summary)
        let writer = ExchangeJSON(
            record,
            includesBodies: false,
            remedyWords: remedyWords,
            refusalWords: refusalWords,
            isFailureImported: isFailureImported
        )
        try writer.write(to: &json, source: { _, _, _, _ in [] }, handOn: { _ in })
        let bytes = json.take()
        return WebAnswer.json(bytes: bytes).tagged(EntityTag(of: bytes))
    }
}

extension StoreDoor {
    /// The exchange that the request's path names.
    ///
    /// - Throws: `WebFailure` when the path names no number or the store has no such exchange.
    func exchange(_ context: WebContext) async throws -> Exchange {
        guard let text = context.parameters.get("id"), let id = ExchangeID(text), id > 0 else {
            throw WebFailure(.notFound, "An exchange is named by a whole number.")
        }
        guard let exchange = try await read({ try $0.exchange(id) }) else {
            throw WebFailure(.notFound, "The store has no exchange of this number.")
        }
        return exchange
    }
}
