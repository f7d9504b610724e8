import Lenses
import Store
import Traffic

/// An exchange as an agent sees it, with its bodies and messages; filters match this too.
final class ShownExchange: FilterSubject {
    /// Messages that are read at a time; each has at most 1 MiB.
    private static let pageMessages = 32

    let record: ExchangeRecord
    /// Whether a body was searched only in part.
    private(set) var isCut = false
    private let store: TrafficStore
    /// The bodies that masking has changed.
    private let bodies: [MessageSide: [UInt8]]
    private let shown: (StreamMessage) throws -> StreamMessage
    private let check: () throws -> Void

    /// - Parameters:
    ///   - record: what is shown of it.
    ///   - bodies: those that are shown in the place of recorded bodies.
    ///   - store: where all other bodies are.
    ///   - check: asked before a body or messages are read; throws where the answer takes too long.
    ///   - shown: what is shown of a message.
    init(
        _ record: ExchangeRecord,
        bodies: [MessageSide: [UInt8]],
        in store: TrafficStore,
        check: @escaping () throws -> Void,
        shown: @escaping (StreamMessage) throws -> StreamMessage
    ) {
        (self.record, self.bodies, self.store, self.check, self.shown) = (record, bodies, store, check, shown)
    }

    var summary: ExchangeSummary { record.summary }

    /// The bytes of its bodies, as an export reads them.
    var source: ArchiveSource { { _, side, offset, limit in try self.body(side, offset: offset, limitBytes: limit) } }

    func message(_ side: MessageSide) -> Message? { record.message(side) }

    func body(_ side: MessageSide, offset: Int64, limitBytes: Int) throws -> [UInt8] {
        try check()
        guard let message = record.message(side), message.body.kept > 0 else { return [] }
        if let bytes = bodies[side] { return Array(bytes.dropFirst(Int(clamping: offset)).prefix(limitBytes)) }
        return try store.body(summary.id, side, offset: offset, limitBytes: limitBytes)
    }

    func messages(after number: Int64) throws -> [StreamMessage] {
        try messages(after: number, limit: ShownExchange.pageMessages)
    }

    /// Messages of its stream, oldest first.
    func messages(after number: Int64, limit: Int) throws -> [StreamMessage] {
        try check()
        return try store.messages(of: summary.id, after: number, limit: limit).map(shown)
    }

    func noteCut(_ side: MessageSide) { isCut = true }

    func failsInside() throws -> Bool {
        guard let failsInside = LensSet.standard.failsInside(try Capture(record, source: source)) else {
            isCut = true
            return false
        }
        return failsInside
    }
}
