import Traffic

/// A rule that an exchange breaks, and where.
package struct CheckFinding: Sendable, Equatable {
    /// The rule's id.
    package let rule: String
    /// Which message it is in.
    package let side: MessageSide
    /// Where in that message's JSON body (RFC 6901); empty for the whole, and for what is not in a body.
    package let pointer: String
    /// What is there, one sentence that names the value.
    package let message: String
    /// What a client makes of it, one sentence.
    package let consequence: String
    package let severity: CheckSeverity

    /// A finding of a rule; of very long sentences the beginnings, since many findings are kept.
    ///
    /// - Parameters:
    ///   - rule: which.
    ///   - side: which message it is in.
    ///   - pointer: where in the body.
    ///   - message: what is there.
    ///   - consequence: what a client makes of it, where that is more than what the rule says.
    package init(
        _ rule: CheckRule,
        in side: MessageSide = .response,
        at pointer: String = "",
        _ message: String,
        consequence: String? = nil
    ) {
        self.rule = rule.id
        self.side = side
        self.pointer = pointer.cutToLine
        self.message = message.cutToLine
        self.consequence = consequence?.cutToLine ?? rule.consequence
        severity = rule.severity
    }
}
