/// A trait that an exchange can have; the raw value is the word after `is:`.
package enum FilterTrait: String, Hashable, Sendable, CaseIterable {
    /// Sent again by us.
    case replay
    /// A body of it was not kept whole.
    case truncated
    case websocket
    /// Marked by someone.
    case favourite
}
