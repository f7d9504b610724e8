import ArgumentParser

/// How a line of the log is written.
enum LogFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// `2026-11-22T14:02:03.456Z warning: message key=value`.
    case text
    /// One JSON object a line: `time`, `level`, `message`, and `metadata` where there is some.
    case json
}
