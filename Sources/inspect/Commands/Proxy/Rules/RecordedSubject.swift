import Store
import Traffic

/// A recorded exchange as rules look at it: each part is read from the store when it is asked for, and no body is held.
final class RecordedSubject: FilterSubject {
    let summary: ExchangeSummary
    private let store: TrafficStore
    private var exchange: Exchange?
    private var isRead = false

    init(_ summary: ExchangeSummary, in store: TrafficStore) { (self.summary, self.store) = (summary, store) }

    func message(_ side: MessageSide) throws -> Message? {
        if !isRead {
            exchange = try store.exchange(summary.id)
            isRead = true
        }
        return side == .request ? exchange?.request : exchange?.response
    }

    func body(_ side: MessageSide, offset: Int64, limitBytes: Int) throws -> [UInt8] {
        try store.body(summary.id, side, offset: offset, limitBytes: limitBytes)
    }

    /// None: rules look at whole messages of requests and responses.
    func messages(after number: Int64) -> [StreamMessage] { [] }
}
