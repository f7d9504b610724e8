/// One exchange with everything an export writes of it.
package struct ExchangeRecord: Sendable {
    /// The record without the bodies' bytes.
    package var exchange: Exchange
    /// Its line in a listing, which knows the client's name too.
    package var summary: ExchangeSummary

    package init(exchange: Exchange, summary: ExchangeSummary? = nil) {
        self.exchange = exchange
        self.summary = summary ?? exchange.summary
    }

    /// The message of a side; the response may be missing.
    package func message(_ side: MessageSide) -> Message? {
        side == .request ? exchange.request : exchange.response
    }
}

/// The kept bytes of an exchange's bodies: `(exchange, side, offset, limitBytes)` in, the bytes there out, empty at the end.
package typealias ArchiveSource = (ExchangeID, MessageSide, Int64, Int) throws -> [UInt8]

/// The messages of an exchange's stream, page by page: `(exchange, after)` in, those that follow the message of that number out, empty at the end.
package typealias MessageSource = (ExchangeID, Int64) throws -> [StreamMessage]
