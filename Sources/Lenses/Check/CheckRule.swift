/// Something that a check holds captures to.
package struct CheckRule: Sendable, Equatable, Identifiable {
    /// `WO-3`, `VM-V1`, `OA-status`: the prefix of its lens, then a number, or the name that a known bug of a client has.
    package let id: String
    /// What has to hold, one short clause: "times are HH:MM:SS".
    package let title: String
    /// What a client does when it does not hold: "the iPhone app would crash".
    package let consequence: String
    /// Whether breaking it is a breach or only worth knowing.
    package let severity: CheckSeverity

    package init(_ id: String, _ title: String, consequence: String, severity: CheckSeverity = .breach) {
        self.id = id
        self.title = title
        self.consequence = consequence
        self.severity = severity
    }
}
