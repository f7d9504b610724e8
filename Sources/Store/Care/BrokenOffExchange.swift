import GRDB
import Traffic

/// A pending row whose exchange nobody will end any more: the process was killed, or the end could not be written.
struct BrokenOffExchange {
    let id: ExchangeID

    /// Every row that an earlier process left open.
    static func all(in db: Database) throws -> [BrokenOffExchange] {
        var row = try RawStatement("SELECT id FROM open_exchange ORDER BY id", on: db)
        defer { row.reset() }
        var found: [BrokenOffExchange] = []
        while try row.step() { found.append(BrokenOffExchange(id: row.integer() ?? 0)) }
        return found
    }

    /// Closes the row as failed by the crash of the proxy, in the phase that its own columns show.
    func closeAfterCrash(in db: Database) throws {
        let phase = try ExchangeRow.exchange(id, in: db).map(BrokenOffExchange.phase) ?? .record
        try close(
            ExchangeFailure(
                side: .proxy,
                phase: phase,
                cause: .crash,
                message: "inspect was stopped or killed before this exchange ended."
            ),
            in: db
        )
    }

    /// Closes the row as failed because the store could not be written when the exchange ended.
    func closeUnrecorded(in db: Database) throws {
        try close(
            ExchangeFailure(
                side: .proxy,
                phase: .record,
                cause: .unrecorded,
                message: "The store could not be written when this exchange ended, so its end is not known."
            ),
            in: db
        )
    }

    private func close(_ failure: ExchangeFailure, in db: Database) throws {
        let kept = try (
            request: BodyVault.keptBytes(BodyVault.body(of: id, .request), in: db),
            response: BodyVault.keptBytes(BodyVault.body(of: id, .response), in: db)
        )
        var row = try RawStatement(
            """
            UPDATE exchange SET outcome = ?, failure_side = ?, failure_phase = ?, failure_cause = ?, failure_message = ?,
                failure_retry = 0, request_bytes = max(request_bytes, ?6), request_kept = ?6, request_body = ?7,
                response_bytes = max(response_bytes, ?8), response_kept = ?8, response_body = ?9,
                request_messages = ?10, response_messages = ?11
            WHERE id = ?12
            """,
            on: db
        )
        row.bind(Outcome.failed.rawValue)
        row.bind(failure.side.rawValue)
        row.bind(failure.phase.rawValue)
        row.bind(failure.cause.rawValue)
        row.bind(failure.message)
        row.bind(kept.request)
        row.bind(kept.request > 0 ? BodyVault.body(of: id, .request) : nil)
        row.bind(kept.response)
        row.bind(kept.response > 0 ? BodyVault.body(of: id, .response) : nil)
        let messages = try MessageRow.counts(of: id, in: db)
        row.bind(messages.total > 0 ? messages.request : nil)
        row.bind(messages.total > 0 ? messages.response : nil)
        row.bind(id)
        try row.run()
        var closing = try RawStatement("DELETE FROM open_exchange WHERE id = ?", on: db)
        closing.bind(id)
        try closing.run()
    }

    /// The last phase that an exchange is known to have been in.
    private static func phase(of exchange: Exchange) -> ExchangeFailure.Phase {
        if exchange.response != nil { return .receive }
        if exchange.timeline.send != nil { return .wait }
        if exchange.upstream != nil || exchange.timeline.tls != nil { return .send }
        if exchange.timeline.connect != nil { return .tls }
        return exchange.timeline.dns != nil ? .connect : .request
    }
}
