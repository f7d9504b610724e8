import NIOCore
import Traffic

extension Exchange {
    /// Bytes that are counted for an event beside its contents: the record's own fields, names and addresses.
    static let overheadBytes = 1 << 10

    /// What an event with this record counts against the budget beside body bytes: heads, trailers, an answer of our own, and the overhead.
    ///
    /// Refusals and requests without bodies weigh something too: otherwise any number of them could wait for a store that takes nothing.
    var weightBytes: Int {
        var bytes = Exchange.overheadBytes + request.weightBytes + (response?.weightBytes ?? 0)
        for head in interim { bytes += head.readableBytes }
        for use in rules { bytes += use.weightBytes }
        return bytes + (ownResponse?.readableBytes ?? 0)
    }

    /// Copies slices that would keep much more memory than they weigh: a head is a slice of the read that it came in.
    mutating func ownBytes() {
        request.ownBytes()
        response?.ownBytes()
        for position in interim.indices { interim[position] = interim[position].own }
    }
}

extension RuleUse {
    /// What a use of a rule counts: its place in the array and its texts.
    fileprivate var weightBytes: Int {
        MemoryLayout<RuleUse>.stride + rule.utf8.count + action.utf8.count + what.utf8.count + (note?.utf8.count ?? 0)
    }
}

extension StreamMessage {
    /// Bytes that the objects behind a payload or a text take beside these.
    private static let objectBytes = 64

    /// What an event with this message counts against the budget: its place in the array of events, and its memory elsewhere.
    var weightBytes: Int {
        let texts = (eventName?.utf8.count ?? 0) + (eventID?.utf8.count ?? 0)
        return MemoryLayout<ExchangeEvent>.stride + Self.objectBytes + payload.storageCapacity + texts
    }
}

extension Message {
    fileprivate var weightBytes: Int {
        head.readableBytes + (sentHead?.readableBytes ?? 0) + (trailers?.readableBytes ?? 0)
    }

    fileprivate mutating func ownBytes() {
        head = head.own
        trailers = trailers?.own
    }
}

extension ByteBuffer {
    /// Bytes of memory that a slice may keep beside twice its own.
    private static let slackBytes = 1 << 10

    /// The same bytes, in memory of their own where they would keep that of a whole read or TLS record.
    var own: ByteBuffer {
        storageCapacity > 2 * readableBytes + Self.slackBytes ? copied : self
    }

    /// The same bytes in memory of their own.
    var copied: ByteBuffer {
        var copy = ByteBufferAllocator().buffer(capacity: readableBytes)
        copy.writeImmutableBuffer(self)
        return copy
    }
}
