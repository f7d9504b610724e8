import GRDB
package import Traffic

/// An import of an archive as a row of its table, so that a broken-off import is never taken for a whole one.
package struct ArchiveImportRow: Hashable, Sendable {
    /// How far an import came.
    package enum State: String, Hashable, Sendable {
        /// Exchanges are coming; an opening that finds this marks it as broken off.
        case running
        /// All exchanges that could be read are there.
        case done
        /// The import was stopped, or its process was killed.
        case broken
    }

    /// Its number in the store.
    package var id: Int64
    /// The file's name.
    package var name: String
    package var state: State
    /// When it began: microseconds since 1970.
    package var started: Int64
    /// Exchanges that were written.
    package var count: Int64
    /// The numbers of the first and the last of them.
    package var first: ExchangeID?
    package var last: ExchangeID?

    static func begin(_ name: String, started: Int64, in db: Database) throws -> Int64 {
        var row = try RawStatement(
            "INSERT INTO archive_import (name, state, started, count) VALUES (?, ?, ?, 0)",
            on: db
        )
        row.bind(name)
        row.bind(State.running.rawValue)
        row.bind(started)
        try row.run()
        return db.lastInsertedRowID
    }

    static func end(_ id: Int64, as state: State, in db: Database) throws {
        var row = try RawStatement("UPDATE archive_import SET state = ? WHERE id = ?", on: db)
        row.bind(state.rawValue)
        row.bind(id)
        try row.run()
    }

    /// Marks the imports that an earlier process left running as broken off.
    static func breakOffRunning(in db: Database) throws {
        var row = try RawStatement("UPDATE archive_import SET state = ? WHERE state = ?", on: db)
        row.bind(State.broken.rawValue)
        row.bind(State.running.rawValue)
        try row.run()
    }

    static func read(_ id: Int64, in db: Database) throws -> ArchiveImportRow? {
        try readAll(in: db).first { $0.id == id }
    }

    /// Every import, oldest first.
    static func readAll(in db: Database) throws -> [ArchiveImportRow] {
        var row = try RawStatement(
            "SELECT id, name, state, started, count, first, last FROM archive_import ORDER BY id",
            on: db
        )
        defer { row.reset() }
        var found: [ArchiveImportRow] = []
        while try row.step() {
            found.append(
                ArchiveImportRow(
                    id: row.integer() ?? 0,
                    name: row.text() ?? "",
                    state: row.text().flatMap(State.init) ?? .broken,
                    started: row.integer(StoredNumber.moments) ?? 0,
                    count: row.integer(StoredNumber.amounts) ?? 0,
                    first: row.integer(),
                    last: row.integer()
                )
            )
        }
        return found
    }

    /// The exchanges that it brought, as the end of a sentence.
    package var range: String {
        guard let first, let last else { return "nothing was imported" }
        return count == 1 ? "exchange \(first) was imported" : "\(count) exchanges were imported, \(first) to \(last)"
    }

    /// What a person should know of a broken-off import.
    package var warning: String { "the import of \(name) was broken off: \(range)" }
}
