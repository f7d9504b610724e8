import ArgumentParser
import Logging

/// The lowest level that the log keeps, by swift-log's names.
enum LogLevel: String, CaseIterable, ExpressibleByArgument, Sendable {
    case trace, debug, info, notice, warning, error, critical

    /// The same for swift-log.
    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}
