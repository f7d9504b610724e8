package import Traffic

/// A rule that an exchange breaks, and where.
package struct CheckFinding: Sendable, Equatable {
    /// The id of the rule.
    package let rule: String
    /// The message that breaks the rule.
    package let side: MessageSide
    /// The place in that message's JSON body (RFC 6901); empty for the whole body, and for what is in no body.
    package let pointer: String
    /// The value and what is wrong with it, one sentence.
    package private(set) var message: String
    /// What a client makes of the value, one sentence.
    package let consequence: String
    package let severity: CheckSeverity
    /// How many further findings of the rule in the same exchange this one stands for; they are counted and not kept.
    package private(set) var more = 0

    /// Makes a finding, with very long sentences cut: many findings are kept.
    ///
    /// - Parameters:
    ///   - rule: the rule.
    ///   - side: the message that breaks it.
    ///   - pointer: the place in that message's body.
    ///   - message: the value and what is wrong with it.
    ///   - consequence: what a client makes of it, where the rule does not say it all.
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

    /// The same finding, standing for further ones, of which its sentence says how many; itself where there are none.
    func standing(for more: Int) -> CheckFinding {
        guard more > 0 else { return self }
        var finding = self
        finding.more = more
        let stop = message.hasSuffix(".") ? "." : ""
        finding.message = "\(message.dropLast(stop.count)); and \(more) more like it\(stop)"
        return finding
    }
}
