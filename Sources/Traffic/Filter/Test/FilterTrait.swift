/// What an exchange can be, after `is:`; the raw value is the word.
package enum FilterTrait: String, Hashable, Sendable, CaseIterable {
    /// Sent again by us.
    case replay
    /// A body of it was not kept whole.
    case truncated
    case websocket
    /// Marked by someone.
    case favourite
}
