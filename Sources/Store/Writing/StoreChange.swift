import Traffic

/// What a follower of the store is told.
package enum StoreChange: Sendable {
    /// These exchanges were written or changed.
    case changed([ExchangeSummary])
    /// Exchanges were deleted, or the follower was too slow and missed some: it has to list again.
    case resync
}
