import NIOCore

/// What the proxy tells of an exchange, in this order: `opened` (only if it stays open for long), then any `changed`, `body` and `message`, then one `ended`.
package enum ExchangeEvent: Sendable {
    /// It has been open for a while: from now on it is to be seen as pending.
    case opened(CaptureToken, Exchange)
    /// An opened one is known better: its response head arrived, its byte counts grew.
    case changed(CaptureToken, Exchange)
    /// The next bytes of a body to be kept, in order, at most 256 KiB each. Comes after `opened` only.
    case body(CaptureToken, MessageSide, ByteBuffer)
    /// A message of its stream passed. Comes after `opened` only.
    case message(CaptureToken, StreamMessage)
    /// It ended. The exchange is final; the buffers are what was not yet told by `body`, empty where there is nothing.
    case ended(CaptureToken, Exchange, request: ByteBuffer, response: ByteBuffer)
    /// Nothing passed: it comes out of an archive, as part of the import of this number.
    case imported(Int64, ImportedExchange)
}

/// What became of a batch.
package struct CommitReceipt: Sendable {
    /// The store's numbers of the exchanges that ended in the batch, in its order, 0 for one that began in a pause; empty when the commit failed.
    package var ids: [ExchangeID]
    /// Whether the batch is in the store; when not, the store has counted the gap.
    package var isRecorded: Bool

    package init(ids: [ExchangeID], isRecorded: Bool) {
        self.ids = ids
        self.isRecorded = isRecorded
    }
}

/// Some events of one event loop, committed together, with what to do when they are.
package struct CaptureBatch: Sendable {
    /// In the order they happened on their loop.
    package var events: [ExchangeEvent]
    /// Called once, on any thread, after the commit that holds the batch returned or failed.
    ///
    /// Must not block.
    package var onCommit: @Sendable (CommitReceipt) -> Void

    package init(events: [ExchangeEvent], onCommit: @escaping @Sendable (CommitReceipt) -> Void) {
        self.events = events
        self.onCommit = onCommit
    }
}

/// The listener of the proxy: it keeps what it is told.
package protocol CaptureSink: Sendable {
    /// Takes a batch; called on any event loop, never blocks, and calls `onCommit` exactly once.
    ///
    /// The caller bounds the bytes it has handed over and not yet seen committed, so a sink queues without a bound of its own.
    func submit(_ batch: CaptureBatch)
}
