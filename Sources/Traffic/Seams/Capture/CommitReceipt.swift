/// What became of a batch of events: whether the store holds it, and under which numbers.
package struct CommitReceipt: Sendable {
    /// The store's numbers of the exchanges that ended in the batch, in its order; empty when the commit failed.
    ///
    /// 0 for one that began in a pause, or that alone could not be written.
    package var ids: [ExchangeID]
    /// Whether the batch is in the store; when not, the store has counted the gap.
    package var isRecorded: Bool
    /// Exchanges of the batch that ended and alone could not be written; the store has counted them.
    package var lost: Int

    package init(ids: [ExchangeID], isRecorded: Bool, lost: Int = 0) {
        self.ids = ids
        self.isRecorded = isRecorded
        self.lost = lost
    }
}
