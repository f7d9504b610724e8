import GRDB
import Traffic

/// Exchanges that passed and could not be recorded, or were recorded only after their clients had the end.
package struct CaptureGap: Hashable, Sendable {
    /// How many ended without being recorded, or before they were.
    package var count: Int
    /// The start of the first, of kind `late` its end: microseconds since 1970.
    package var from: Int64
    /// The end of the last: microseconds since 1970.
    package var to: Int64
    /// Why, as SQLite says it.
    package var cause: String

    /// The cause of a gap that somebody asked for by a pause.
    package static let pauseCause = "recording was paused"
    /// The cause of a gap whose exchanges were all recorded, and came to the record late.
    package static let lateCause = "recording was behind"

    /// The cause of a gap that has been given none yet.
    static let unnamedCause = ""

    /// The kind of a gap.
    package enum Kind: String, Sendable {
        /// The store could not be written.
        case failure
        /// Somebody paused the recording.
        case pause
        /// The clients of the exchanges had the end before the record did, which took them later.
        case late
    }

    package var kind: Kind {
        switch cause {
        case CaptureGap.pauseCause: .pause
        case CaptureGap.lateCause: .late
        default: .failure
        }
    }

    /// How many exchanges the record lacks.
    package var missingCount: Int { kind == .late ? 0 : count }

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

    /// Writes the gap over a row that has been written before.
    func write(over id: Int64, in db: Database) throws {
        var row = try RawStatement("UPDATE capture_gap SET count = ?, started = ?, ended = ? WHERE id = ?", on: db)
        row.bind(Int64(count))
        row.bind(from)
        row.bind(to)
        row.bind(id)
        try row.run()
    }

    /// Reads every gap, oldest first.
    static func readAll(in db: Database) throws -> [CaptureGap] {
        var row = try RawStatement("SELECT count, started, ended, cause FROM capture_gap ORDER BY id", on: db)
        defer { row.reset() }
        var gaps: [CaptureGap] = []
        while try row.step() {
            gaps.append(read(&row))
        }
        return gaps
    }

    /// The gap in the next columns of a row: count, begin, end and cause.
    static func read(_ row: inout RawStatement) -> CaptureGap {
        CaptureGap(
            count: Int(row.integer(StoredNumber.gaps) ?? 0),
            from: row.integer(StoredNumber.moments) ?? 0,
            to: row.integer(StoredNumber.moments) ?? 0,
            cause: row.text() ?? ""
        )
    }

    /// Whether exchanges are missing that passed in a window of time.
    ///
    /// - Parameters:
    ///   - since: where the window begins: microseconds since 1970; `nil` where it begins with time itself.
    ///   - before: where what follows on the window begins, likewise.
    ///   - db: the store.
    /// - Returns: whether some are, late ones aside.
    /// - Throws: what SQLite throws.
    static func isSomeMissing(since: Int64?, before: Int64?, in db: Database) throws -> Bool {
        var row = try RawStatement(
            """
            SELECT 1 FROM capture_gap WHERE cause <> ?1 AND count > 0
                AND (?2 IS NULL OR ended >= ?2) AND (?3 IS NULL OR started < ?3) LIMIT 1
            """,
            on: db
        )
        defer { row.reset() }
        row.bind(lateCause)
        row.bind(since)
        row.bind(before)
        return try row.step()
    }
}
