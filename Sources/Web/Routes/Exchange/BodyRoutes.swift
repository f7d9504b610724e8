import Hummingbird
import Traffic

/// The bytes of a body, for saving and for the page's own views: always an attachment of bytes, never a document of ours.
struct BodyRoutes {
    let store: StoreDoor
    /// Decoded bytes of an answer where the address has no `limit`.
    let decodedLimitBytes: Int
    /// Decoded bytes that an address may ask for at most.
    let streamedLimitBytes: Int

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        for side in MessageSide.allCases {
            router.get("/api/v1/exchanges/{id}/\(side.rawValue)/body") { request, context in
                try await body(side, request, context)
            }
        }
    }

    private func body(_ side: MessageSide, _ request: Request, _ context: WebContext) async throws -> Response {
        let exchange = try await store.exchange(context)
        guard let message = side == .request ? exchange.request : exchange.response else {
            throw WebFailure(.notFound, "This exchange has no response.")
        }
        let query = QueryItems(request.uri.query ?? "")
        switch query.first("decoded") {
        case nil, "0": return stored(exchange.id, side, message)
        case "1":
            let asker = try await Asker(request, context)
            return try await decoded(exchange.id, side, message, limitBytes: try limit(query), for: asker)
        default: throw WebFailure(.badRequest, "decoded is 1 or 0.")
        }
    }

    private func limit(_ query: QueryItems) throws -> Int {
        guard let text = query.first("limit") else { return decodedLimitBytes }
        guard let limit = Int(text), (1...streamedLimitBytes).contains(limit) else {
            throw WebFailure(.badRequest, "limit is a whole number of bytes from 1 to \(streamedLimitBytes).")
        }
        return limit
    }
}
