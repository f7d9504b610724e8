import Archive
import Hummingbird
import Store
import Traffic

/// The listing: what `inspect filter --json` prints, selected by the same words in the address.
struct ListingRoutes {
    let store: StoreDoor
    /// The time between two lines on how far the counting is.
    let progressInterval: Duration

    /// Adds the API's address and the page's twin.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/exchanges") { request, context in try await list(request, context) }
        router.get("/exchanges.json") { request, context in try await list(request, context) }
    }

    private func list(_ request: Request, _ context: WebContext) async throws -> Response {
        let items = try await store.items(of: request)
        let query = try ListingQuery(items.removing("progress"), now: store.now)
        let progress = items.first("progress") ?? "false"
        guard progress == "true" || progress == "false" else {
            throw FilterError("progress=\(progress): expected true or false")
        }
        if progress == "true" {
            return CountingAnswer(store: store, query: query, interval: progressInterval).response
        }
        return try await store.answer(to: Asker(request, context)) {
            try $0.list(query)
        } as: {
            WebAnswer.json(bytes: ListingJSON.bytes($0))
        }
    }
}
