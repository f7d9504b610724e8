/// How much a finding matters.
package enum CheckSeverity: String, Sendable, CaseIterable, Comparable {
    /// Worth knowing: a check with notices passes.
    case notice
    /// Wrong: a check with a breach fails.
    case breach

    package static func < (left: CheckSeverity, right: CheckSeverity) -> Bool { left == .notice && right == .breach }
}
