import Archive
import Hummingbird
import Store
import Traffic

/// The replays of an exchange, and the exchange that was replayed where it is a replay itself.
struct ReplayedRoutes {
    /// Replays that one answer lists at most.
    private static let limit = 200
    /// Replays of a store that are looked through at most, the latest first; only those after the exchange can be its own.
    private static let searched = 20_000

    let store: StoreDoor

    /// The rows of an answer.
    private struct Found: Sendable {
        var original: ExchangeSummary?
        var replays: [ExchangeSummary] = []
        var isCut = false
    }

    /// Adds the API's address.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/exchanges/{id}/replays") { request, context in
            let exchange = try await store.exchange(context)
            return try await store.answer(to: Asker(request, context)) {
                try Self.find(exchange, in: $0)
            } as: { found in
                WebAnswer.json { json in
                    json.array("originals") { json in
                        if let original = found.original { ExchangeRow.write(original, to: &json) }
                    }
                    json.array("replays") { json in for row in found.replays { ExchangeRow.write(row, to: &json) } }
                    json.boolean("truncated", found.isCut)
                }
            }
        }
    }

    private static func find(_ exchange: Exchange, in store: TrafficStore) throws -> Found {
        let filter = try FilterParser.parse("is:replay id:\(exchange.id)..\(ExchangeID.max)", now: 0)
        let ids = try store.ids(filter)
        var found = Found()
        var rest = ids.suffix(searched)
        while !rest.isEmpty, found.replays.count < limit {
            try Task.checkCancellation()
            let rows = try store.summaries(of: Array(rest.prefix(500)))
            found.replays += rows.filter { $0.replayOf == exchange.id }
            rest = rest.dropFirst(500)
        }
        found.replays = Array(found.replays.prefix(limit))
        found.isCut = !rest.isEmpty || ids.count > searched
        if let id = exchange.replayOf { found.original = try store.summaries(of: [id]).first }
        return found
    }
}
