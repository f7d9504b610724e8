/// A trait that an exchange can have; the raw value is the word after `is:`.
package enum FilterTrait: String, Hashable, Sendable, CaseIterable {
    /// Sent again by us.
    case replay
    /// A body of it was not kept whole.
    case truncated
    case websocket
    /// Marked by someone.
    case favourite
    /// Answered with success, and a failure all the same by the word of its lens.
    case failedInside = "failed-inside"
    /// Changed by a rule: where it went, what was sent or what came back.
    case modified
}
