/// The answer of a client about a facility at a moment.
package struct HoursVerdict: Sendable, Equatable {
    /// The answer itself.
    package enum Answer: String, Sendable {
        case open, closed, crash
    }

    package var answer: Answer
    /// The text that the client shows beside the facility, where we know it.
    package var text: String?
    /// The bug that makes the client crash; `nil` where it answers.
    package var bug: ClientBug?

    package init(_ answer: Answer, text: String? = nil) { (self.answer, self.text) = (answer, text) }

    /// The verdict of a client that crashes before it answers.
    static func crash(_ bug: ClientBug) -> HoursVerdict {
        var verdict = HoursVerdict(.crash)
        verdict.bug = bug
        return verdict
    }
}
