import Foundation
import Logging
import Traffic

/// One line of the log.
struct LogLine: Sendable {
    /// Microseconds since 1970.
    let time: Int64
    let level: Logger.Level
    let message: String
    /// Names and values, in the names' order.
    let metadata: [(name: String, value: String)]

    init(level: Logger.Level, message: String, metadata: Logger.Metadata, now: Date) {
        time = Moment.microseconds(now)
        self.level = level
        self.message = message
        self.metadata = metadata.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value.description) }
    }

    /// Another line of the same moment.
    init(_ other: LogLine, level: Logger.Level, message: String) {
        time = other.time
        self.level = level
        self.message = message
        metadata = []
    }

    /// The line with its line feed; control characters in it are made visible.
    func bytes(_ format: LogFormat) -> [UInt8] {
        switch format {
        case .text:
            let words = metadata.map { name, value in " \(name)=\(Self.word(value))" }.joined()
            return Array(
                "\(Timestamp.text(microseconds: time)) \(level): \(VisibleText.line(message + words))\n".utf8
            )
        case .json:
            return JSONWriter.bytes { json in
                json.object { write(to: &$0) }
                json.newline()
            }
        }
    }

    private func write(to json: inout JSONWriter) {
        json.string("time", Timestamp.text(microseconds: time))
        json.string("level", level.rawValue)
        json.string("message", message)
        guard !metadata.isEmpty else { return }
        json.object("metadata") { json in
            for (name, value) in metadata { json.string(name, value) }
        }
    }

    /// A value with a visible end: in quotes where it has blanks or quotes.
    private static func word(_ value: String) -> String {
        guard value.isEmpty || value.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0 == "\"" }) else {
            return value
        }
        return "\"" + value.replacing(scalars: ["\\": "\\\\", "\"": "\\\""]) + "\""
    }
}
