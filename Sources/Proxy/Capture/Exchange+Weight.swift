import NIOCore
import Traffic

extension Exchange {
    /// Bytes that are counted for an event beside what it carries: the record's own fields, names and addresses.
    static let overheadBytes = 1 << 10

    /// What an event with this record counts against the budget beside body bytes: heads, trailers, an answer of our own, and the overhead.
    ///
    /// Refusals and requests without bodies weigh something too: else any number of them could wait for a store that stands still.
    var weightBytes: Int {
        var bytes = Exchange.overheadBytes + request.weightBytes + (response?.weightBytes ?? 0)
        for head in interim { bytes += head.readableBytes }
        return bytes + (ownResponse?.readableBytes ?? 0)
    }
}

extension Message {
    fileprivate var weightBytes: Int {
        head.readableBytes + (sentHead?.readableBytes ?? 0) + (trailers?.readableBytes ?? 0)
    }
}
