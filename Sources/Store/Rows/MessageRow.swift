import GRDB
import NIOCore
import Traffic

/// A message of a stream as a row of the table `message`.
struct MessageRow {
    /// The bits of a row's id that number the message within its exchange, from 1.
    static let numberBits: Int64 = 28
    /// The greatest number; messages beyond it are counted and not written.
    private static let greatestNumber: Int64 = 1 << numberBits - 1
    /// The exchanges whose messages can be numbered.
    private static let exchanges: Range<ExchangeID> = 1..<1 << (62 - numberBits)

    private var insertion: RawStatement

    init(_ db: Database) throws {
        insertion = try RawStatement(
            """
            INSERT INTO message (id, exchange, side, time, kind, opcode, wire_bytes, size, compressed, status, event_name, event_id,
                problem, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            on: db
        )
    }

    /// Writes a message of an exchange; false when the message cannot be numbered.
    mutating func write(_ message: StreamMessage, number: Int64, of exchange: ExchangeID) throws -> Bool {
        guard number <= MessageRow.greatestNumber, MessageRow.exchanges.contains(exchange) else { return false }
        insertion.bind(exchange << MessageRow.numberBits | number)
        insertion.bind(exchange)
        insertion.bind(message.side.rawValue)
        insertion.bind(message.time)
        insertion.bind(message.kind.rawValue)
        insertion.bind(Int64(message.opcode))
        insertion.bind(message.wireBytes)
        insertion.bind(message.size)
        insertion.bind(message.isCompressed ? 1 : 0)
        insertion.bind(message.status.map(Int64.init))
        insertion.bind(message.eventName)
        insertion.bind(message.eventID)
        insertion.bind(message.problem)
        insertion.bind(message.payload)
        try insertion.run()
        return true
    }

    /// Reads messages of an exchange in their order, beginning after a number.
    ///
    /// - Parameters:
    ///   - exchange: the exchange.
    ///   - number: the last message that is not wanted; 0 begins with the first.
    ///   - limit: messages at most.
    ///   - side: the side whose messages are wanted; `nil` for both.
    ///   - payloadBytes: bytes of each payload that are read.
    ///   - db: where.
    /// - Returns: the messages.
    /// - Throws: what SQLite says.
    static func read(
        of exchange: ExchangeID,
        after number: Int64,
        limit: Int,
        from side: MessageSide? = nil,
        payloadBytes: Int,
        in db: Database
    ) throws -> [StreamMessage] {
        guard number < greatestNumber, let bounds = bounds(of: exchange) else { return [] }
        var row = try RawStatement(
            """
            SELECT id, side, time, kind, opcode, wire_bytes, size, compressed, status, event_name, event_id, problem,
                substr(payload, 1, ?) FROM message WHERE id > ? AND id < ? AND side = coalesce(?, side) ORDER BY id LIMIT ?
            """,
            on: db
        )
        defer { row.reset() }
        // For more bytes than a row can hold, SQLite would give none.
        row.bind(Int64(min(max(0, payloadBytes), 1 << 30)))
        row.bind(bounds.lowerBound | max(0, number))
        row.bind(bounds.upperBound)
        row.bind(side?.rawValue)
        row.bind(Int64(max(0, limit)))
        var found: [StreamMessage] = []
        while try row.step() { found.append(message(&row)) }
        return found
    }

    /// The ids of an exchange's messages lie between these; `nil` for an exchange whose messages cannot be numbered.
    static func bounds(of exchange: ExchangeID) -> (lowerBound: Int64, upperBound: Int64)? {
        exchanges.contains(exchange) ? (exchange << numberBits, (exchange + 1) << numberBits) : nil
    }

    /// Deletes the messages between two ids.
    static func deletion(on db: Database) throws -> RawStatement {
        try RawStatement("DELETE FROM message WHERE id > ? AND id < ?", on: db)
    }

    /// Finds the greatest id between two, which are its parameters.
    static func last(on db: Database) throws -> RawStatement {
        try RawStatement("SELECT max(id) FROM message WHERE id > ? AND id < ?", on: db)
    }

    /// How many messages of an exchange have rows.
    static func counts(of exchange: ExchangeID, in db: Database) throws -> MessageCounts {
        guard let bounds = bounds(of: exchange) else { return MessageCounts() }
        var row = try RawStatement("SELECT side, count(*) FROM message WHERE id > ? AND id < ? GROUP BY side", on: db)
        defer { row.reset() }
        row.bind(bounds.lowerBound)
        row.bind(bounds.upperBound)
        var counts = MessageCounts()
        while try row.step() {
            switch row.text().flatMap(MessageSide.init(rawValue:)) {
            case .request: counts.request = row.integer() ?? 0
            case .response: counts.response = row.integer() ?? 0
            case nil: break
            }
        }
        return counts
    }

    private static func message(_ row: inout RawStatement) -> StreamMessage {
        let number = (row.integer() ?? 0) & greatestNumber
        let side = row.text().flatMap(MessageSide.init(rawValue:)) ?? .response
        let time = row.integer(StoredNumber.moments) ?? 0
        let kind = row.text().flatMap(StreamMessage.Kind.init(rawValue:)) ?? .webSocket
        let opcode = UInt8(truncatingIfNeeded: row.integer() ?? 0)
        let wireBytes = row.integer(StoredNumber.amounts) ?? 0
        let size = row.integer(StoredNumber.amounts) ?? 0
        let isCompressed = row.integer() == 1
        let status = row.integer().map { Int($0) }
        let (eventName, eventID, problem) = (row.text(), row.text(), row.text())
        var message = StreamMessage(
            side: side,
            time: time,
            kind: kind,
            opcode: opcode,
            wireBytes: wireBytes,
            size: size,
            payload: row.buffer() ?? .init()
        )
        message.number = number
        message.isCompressed = isCompressed
        message.status = status
        message.eventName = eventName
        message.eventID = eventID
        message.problem = problem
        return message
    }
}
