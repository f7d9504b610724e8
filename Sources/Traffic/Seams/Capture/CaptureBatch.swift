/// Some events of one event loop, committed together, with what to do when they are.
package struct CaptureBatch: Sendable {
    /// The events, in the order in which they happened on their loop; there may be none where the batch tells of exchanges that were late.
    package var events: [ExchangeEvent]
    /// Exchanges of earlier batches whose clients got the end before the commit; `nil` for none.
    package var late: LateSpell?
    /// Called once, on any thread, after the commit that holds the batch returned or failed.
    ///
    /// Must not block.
    package var onCommit: @Sendable (CommitReceipt) -> Void

    package init(
        events: [ExchangeEvent],
        late: LateSpell? = nil,
        onCommit: @escaping @Sendable (CommitReceipt) -> Void
    ) {
        (self.events, self.late, self.onCommit) = (events, late, onCommit)
    }
}
