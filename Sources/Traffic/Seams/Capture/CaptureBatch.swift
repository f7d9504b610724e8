/// Some events of one event loop, committed together, with what to do when they are.
package struct CaptureBatch: Sendable {
    /// The events, in the order in which they happened on their loop.
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
