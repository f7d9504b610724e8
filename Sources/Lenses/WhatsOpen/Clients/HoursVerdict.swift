/// What a client would say of a facility at a moment.
package struct HoursVerdict: Sendable, Equatable {
    /// The answer itself.
    package enum Answer: String, Sendable {
        case open, closed, crash
    }

    package var answer: Answer
    /// What the client writes beside the facility, where we know it.
    package var text: String?
    /// The bug that it crashes by.
    package var bug: ClientBug?

    package init(_ answer: Answer, text: String? = nil) { (self.answer, self.text) = (answer, text) }

    /// The client does not come to answer.
    static func crash(_ bug: ClientBug) -> HoursVerdict {
        var verdict = HoursVerdict(.crash)
        verdict.bug = bug
        return verdict
    }
}
