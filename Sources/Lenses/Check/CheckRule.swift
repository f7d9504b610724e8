/// A rule that a check holds captures to.
package struct CheckRule: Sendable, Equatable, Identifiable {
    /// The prefix of the lens, then a number or the name of a client's known bug: `WO-3`, `VM-V1`, `OA-status`.
    package let id: String
    /// The rule as one short clause: "times are HH:MM:SS".
    package let title: String
    /// What a client does when the rule is broken: "the iPhone app would crash".
    package let consequence: String
    /// How much a finding of the rule matters.
    package let severity: CheckSeverity

    package init(_ id: String, _ title: String, consequence: String, severity: CheckSeverity = .breach) {
        self.id = id
        self.title = title
        self.consequence = consequence
        self.severity = severity
    }
}
