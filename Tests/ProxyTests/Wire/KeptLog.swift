import Logging
import Support

/// Keeps what is logged.
struct KeptLog: LogHandler {
    /// The messages so far, each with its level.
    let lines = Watched<[String]>([])
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.update { $0.append("\(event.level): \(event.message)") } }
}
