/// What became of a batch of events: whether the store holds it, and under which numbers.
package struct CommitReceipt: Sendable {
    /// The store's numbers of the exchanges that ended in the batch, in its order; empty when the commit failed.
    ///
    /// 0 for one that began in a pause, or that alone could not be written.
    package var ids: [ExchangeID]
    /// Whether the batch is in the store; when not, the store has counted the gap.
    package var isRecorded: Bool

    package init(ids: [ExchangeID], isRecorded: Bool) {
        self.ids = ids
        self.isRecorded = isRecorded
    }
}
