package import Traffic

/// A change that a follower of the store is told of.
package enum StoreChange: Sendable {
    /// These exchanges were written or changed.
    case changed([ExchangeSummary])
    /// Exchanges were deleted, or the follower was too slow and missed changes: the follower has to list again.
    case resync
}
