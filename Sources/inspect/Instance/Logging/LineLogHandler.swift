import Foundation
import Logging

/// A handler of swift-log that writes lines: it has its own metadata and level, and shares one `LogOutput`.
struct LineLogHandler: LogHandler {
    let output: LogOutput
    var metadata: Logger.Metadata = [:]
    private var ownLevel: Logger.Level?

    init(output: LogOutput) { self.output = output }

    /// The logger's level; the output's until it is set.
    var logLevel: Logger.Level {
        get { ownLevel ?? output.level }
        set { ownLevel = newValue }
    }

    subscript(metadataKey name: String) -> Logger.Metadata.Value? {
        get { metadata[name] }
        set { metadata[name] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let own = event.metadata { all.merge(own) { $1 } }
        if let error = event.error { all["error"] = "\(error)" }
        output.write(LogLine(level: event.level, message: event.message.description, metadata: all, now: Date()))
    }
}
