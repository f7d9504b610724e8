import ArgumentParser
import Logging

/// How a line of the log is written.
enum LogFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// `2026-11-22T14:02:03.456Z warning: message key=value`.
    case text
    /// One JSON object a line: `time`, `level`, `message`, and `metadata` where there is some.
    case json
}

/// From which level on the log has a line, by swift-log's names.
enum LogLevel: String, CaseIterable, ExpressibleByArgument, Sendable {
    case trace, debug, info, notice, warning, error, critical

    /// The same for swift-log.
    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}
