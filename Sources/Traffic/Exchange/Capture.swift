/// An exchange with both its bodies, decoded and in memory.
package struct Capture: Sendable {
    /// The exchange.
    package let exchange: Exchange
    /// Its line in a listing: client, lens, marks.
    package let summary: ExchangeSummary
    package let request: CapturedBody
    /// The response's body; an empty one where no response came.
    package let response: CapturedBody

    package init(
        exchange: Exchange,
        summary: ExchangeSummary? = nil,
        request: CapturedBody = .none,
        response: CapturedBody = .none
    ) {
        self.exchange = exchange
        self.summary = summary ?? exchange.summary
        self.request = request
        self.response = response
    }

    /// Reads the bodies of a recorded exchange.
    ///
    /// - Parameters:
    ///   - record: the exchange.
    ///   - limitBytes: decoded bytes read of each body at most.
    ///   - source: the kept bytes of bodies.
    /// - Throws: what `source` throws.
    package init(
        _ record: ExchangeRecord,
        limitBytes: Int = CapturedBody.limitBytes,
        source: ArchiveSource
    ) throws {
        let id = record.exchange.id
        func body(_ side: MessageSide) throws -> CapturedBody {
            guard let message = record.message(side), message.body.kept > 0 else { return .none }
            return try CapturedBody(of: message, limitBytes: limitBytes) { try source(id, side, $0, $1) }
        }
        try self.init(
            exchange: record.exchange,
            summary: record.summary,
            request: body(.request),
            response: body(.response)
        )
    }

    package var id: ExchangeID { exchange.id }
    /// The path of the target, as sent, without the query.
    package var path: Substring { QueryString.split(exchange.target).path }
    /// The query of the target, as sent, without its question mark; `nil` where there is none, empty after a bare `?`.
    package var query: Substring? { QueryString.split(exchange.target).query }
    /// The first value of a request field.
    package func requestField(_ name: StaticString) -> String? { exchange.request.fields.first(name) }
    /// The first value of a response field.
    package func responseField(_ name: StaticString) -> String? { exchange.response?.fields.first(name) }
}
