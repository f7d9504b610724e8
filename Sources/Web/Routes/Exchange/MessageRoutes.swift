import Archive
import Hummingbird
import Store
import Traffic

/// The messages of an exchange's stream, page by page, and the payload of one.
struct MessageRoutes {
    /// Messages of one answer at most; with the bound of each payload, an answer stays within some 20 MB.
    private static let limitMaximum = 500
    /// Bytes of each payload in a list, unless the address says less; the whole payload has an address of its own.
    private static let payloadBytes = 32 << 10

    let store: StoreDoor

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/exchanges/{id}/messages") { request, context in try await list(request, context) }
        router.get("/api/v1/exchanges/{id}/messages/{number}/payload") { _, context in try await payload(context) }
    }

    private func list(_ request: Request, _ context: WebContext) async throws -> Response {
        let exchange = try await store.exchange(context)
        let query = QueryItems(request.uri.query ?? "")
        let after = try Self.number(query, "after", 0...Int64.max) ?? 0
        let limit = Int(try Self.number(query, "limit", 1...Int64(Self.limitMaximum)) ?? 100)
        let bytes = Int(try Self.number(query, "payload", 0...Int64(Self.payloadBytes)) ?? Int64(Self.payloadBytes))
        let side = try Self.side(query)
        let messages = try await store.read {
            try $0.messages(of: exchange.id, after: after, limit: limit + 1, from: side, payloadBytes: bytes)
        }
        let page = messages.prefix(limit)
        return WebAnswer.json { json in
            json.array("messages") { json in
                for message in page { MessageJSON(message, started: exchange.timeline.started).write(to: &json) }
            }
            json.integer("next", messages.count > limit ? page.last?.number : nil)
        }
    }

    /// The kept payload of one message, for saving.
    private func payload(_ context: WebContext) async throws -> Response {
        let exchange = try await store.exchange(context)
        guard let text = context.parameters.get("number"), let number = Int64(text), number > 0 else {
            throw WebFailure(.notFound, "A message is named by a whole number.")
        }
        guard
            let message = try await store.read({ try $0.messages(of: exchange.id, after: number - 1, limit: 1) }).first,
            message.number == number
        else { throw WebFailure(.notFound, "The exchange has no message of this number.") }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/octet-stream",
                .contentDisposition: "attachment; filename=\"exchange-\(exchange.id)-message-\(number).bin\"",
                .contentSecurityPolicy: "default-src 'none'; sandbox",
            ],
            body: ResponseBody(byteBuffer: message.payload)
        )
    }

    /// The side whose messages are wanted; `nil` for both.
    private static func side(_ query: QueryItems) throws -> MessageSide? {
        switch query.first("direction") {
        case nil: return nil
        case "send": return .request
        case "receive": return .response
        case .some: throw WebFailure(.badRequest, "direction is send or receive.")
        }
    }

    private static func number(_ query: QueryItems, _ name: String, _ range: ClosedRange<Int64>) throws -> Int64? {
        guard let text = query.first(name) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw WebFailure(
                .badRequest,
                "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }
}
