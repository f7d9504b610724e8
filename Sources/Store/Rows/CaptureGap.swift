import GRDB
import Traffic

/// Exchanges that passed and could not be recorded.
package struct CaptureGap: Hashable, Sendable {
    /// How many ended without being recorded.
    package var count: Int
    /// The start of the first: microseconds since 1970.
    package var from: Int64
    /// The end of the last: microseconds since 1970.
    package var to: Int64
    /// Why, as SQLite says it.
    package var cause: String

    /// The cause of a gap that somebody asked for by a pause.
    package static let pauseCause = "recording was paused"

    /// The kind of a gap.
    package enum Kind: String, Sendable {
        /// The store could not be written.
        case failure
        /// Somebody paused the recording.
        case pause
    }

    package var kind: Kind { cause == CaptureGap.pauseCause ? .pause : .failure }

    /// Takes in another gap that follows on this one.
    mutating func join(_ other: CaptureGap) {
        count += other.count
        from = min(from, other.from)
        to = max(to, other.to)
        cause = other.cause
    }

    /// Writes the gap down as a row.
    func write(in db: Database) throws {
        var row = try RawStatement("INSERT INTO capture_gap (count, started, ended, cause) VALUES (?, ?, ?, ?)", on: db)
        row.bind(Int64(count))
        row.bind(from)
        row.bind(to)
        row.bind(cause)
        try row.run()
    }

    /// Reads every gap, oldest first.
    static func readAll(in db: Database) throws -> [CaptureGap] {
        var row = try RawStatement("SELECT count, started, ended, cause FROM capture_gap ORDER BY id", on: db)
        defer { row.reset() }
        var gaps: [CaptureGap] = []
        while try row.step() {
            gaps.append(
                CaptureGap(
                    count: Int(row.integer(StoredNumber.gaps) ?? 0),
                    from: row.integer(StoredNumber.moments) ?? 0,
                    to: row.integer(StoredNumber.moments) ?? 0,
                    cause: row.text() ?? ""
                )
            )
        }
        return gaps
    }
}
