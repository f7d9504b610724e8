/// Which exchanges a walk visits.
package enum CaptureSelection: Sendable {
    /// Those that a filter selects.
    case matching(Filter)
    /// The exchange of this number.
    case one(ExchangeID)
}
