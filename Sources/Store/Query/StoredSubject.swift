import GRDB
import NIOCore
import Traffic

/// An exchange of the store as a filter looks at it; each part is read when it is asked for, and no body is held.
final class StoredSubject: FilterSubject {
    /// Messages read at a time; each has at most 1 MiB.
    static let pageMessages = 32

    let summary: ExchangeSummary
    private let db: Database
    /// Says whether it failed inside; `nil` where nobody is asked.
    private let judge: (any FailureJudge)?
    private var detail: Detail?
    /// The places where the bodies were read last.
    private var places: [BodyID: BodyPlace] = [:]
    /// The lengths of the bodies that were read to their ends.
    private var ends: [BodyID: Int64] = [:]
    /// Whether a body that was looked at has more text than is looked at, or was not whole where it had to be.
    private(set) var isCut = false

    /// The parts that a line does not have.
    private struct Detail {
        var messages: [MessageSide: Message] = [:]
        var bodies: [MessageSide: BodyID] = [:]
        var hasStream = false
    }

    init(_ summary: ExchangeSummary, judge: (any FailureJudge)? = nil, in db: Database) {
        (self.summary, self.judge, self.db) = (summary, judge, db)
    }

    /// The columns that a line does not have.
    private static let detailColumns =
        "request_head, request_trailers, request_kept, request_body, response_head, response_trailers, response_kept, response_body, request_messages, request_archived, response_archived"

    func message(_ side: MessageSide) throws -> Message? { try known().messages[side] }

    func body(_ side: MessageSide, offset: Int64, limitBytes: Int) throws -> [UInt8] {
        try Task.checkCancellation()
        guard let body = try known().bodies[side], offset < ends[body] ?? .max else { return [] }
        let bytes = try BodyVault.read(body, offset: offset, limitBytes: limitBytes, from: &places[body], in: db)
        if bytes.count < limitBytes { ends[body] = offset + Int64(bytes.count) }
        return bytes
    }

    func noteCut(_ side: MessageSide) { isCut = true }

    func failsInside() throws -> Bool {
        guard let judge, let exchange = try ExchangeRow.exchange(summary.id, in: db) else { return false }
        let record = ExchangeRecord(exchange: exchange, summary: summary)
        let capture = try Capture(record) { _, side, offset, limitBytes in
            try self.body(side, offset: offset, limitBytes: limitBytes)
        }
        try Task.checkCancellation()
        guard let failsInside = judge.failsInside(capture) else {
            isCut = true
            return false
        }
        return failsInside
    }

    func messages(after number: Int64) throws -> [StreamMessage] {
        try Task.checkCancellation()
        // The counts of an open exchange lag behind.
        guard try known().hasStream || summary.outcome == .pending else { return [] }
        return try MessageRow.read(
            of: summary.id,
            after: number,
            limit: StoredSubject.pageMessages,
            payloadBytes: .max,
            in: db
        )
    }

    private func known() throws -> Detail {
        if let detail { return detail }
        let read = try read()
        detail = read
        return read
    }

    private func read() throws -> Detail {
        var row = try RawStatement("SELECT \(StoredSubject.detailColumns) FROM exchange WHERE id = ?", on: db)
        defer { row.reset() }
        row.bind(summary.id)
        return try row.step() ? StoredSubject.detail(of: summary, &row) : Detail()
    }

    private static func detail(of summary: ExchangeSummary, _ row: inout RawStatement) -> Detail {
        var detail = Detail()
        for (side, length) in [(MessageSide.request, summary.requestBytes), (.response, summary.responseBytes)] {
            let (head, trailers) = (row.buffer(), row.buffer())
            let body = Body(length: length, kept: row.integer(StoredNumber.amounts) ?? 0, sha256: [])
            detail.bodies[side] = row.integer()
            if let head { detail.messages[side] = Message(head: head, trailers: trailers, body: body) }
        }
        detail.hasStream = row.integer() != nil
        for side in MessageSide.allCases {
            guard let archived = ExchangeRow.archived(row.text()) else { continue }
            detail.messages[side]?.body.archived = archived
        }
        return detail
    }
}
