import GRDB
import Traffic

/// Where a session begins, as a row of the table `session`.
enum SessionRow {
    /// Begins a session with the next exchange; `nil` ends the last session.
    static func begin(_ name: String?, at first: ExchangeID, now: Int64, in db: Database) throws {
        guard try lastName(in: db) != name else { return }
        var row = try RawStatement("INSERT OR REPLACE INTO session (first, name, started) VALUES (?, ?, ?)", on: db)
        row.bind(first)
        row.bind(name)
        row.bind(now)
        try row.run()
    }

    /// Ends the session that an earlier process recorded.
    static func endLast(in db: Database) throws {
        try begin(nil, at: TrafficStore.lastID(in: db) + 1, now: 0, in: db)
    }

    private static func lastName(in db: Database) throws -> String? {
        var row = try RawStatement("SELECT name FROM session ORDER BY first DESC LIMIT 1", on: db)
        defer { row.reset() }
        return try row.step() ? row.text() : nil
    }

    /// Every stretch of exchanges with a session, oldest first: its name, when it began, and where it lies.
    static func all(in db: Database) throws -> [(name: String, started: Int64, ids: ClosedRange<ExchangeID>)] {
        var row = try RawStatement("SELECT first, name, started FROM session ORDER BY first", on: db)
        defer { row.reset() }
        var rows: [(first: ExchangeID, name: String?, started: Int64)] = []
        while try row.step() { rows.append((row.integer() ?? 0, row.text(), row.integer(StoredNumber.moments) ?? 0)) }
        let ends = rows.dropFirst().map { $0.first - 1 } + [ExchangeID.max]
        return zip(rows, ends).compactMap { row, end in
            row.name.flatMap { end < row.first ? nil : (name: $0, started: row.started, ids: row.first...end) }
        }
    }
}
