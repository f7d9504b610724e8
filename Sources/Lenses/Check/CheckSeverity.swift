/// How much a finding matters.
package enum CheckSeverity: String, Sendable, CaseIterable, Comparable {
    /// Worth knowing; a check passes with it.
    case notice
    /// Wrong: a check fails.
    case breach

    package static func < (left: CheckSeverity, right: CheckSeverity) -> Bool { left == .notice && right == .breach }
}
