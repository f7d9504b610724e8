import GRDB
import Traffic

/// The marks of an exchange as a row of the table `mark`; an exchange without a row has no marks.
enum MarkRow {
    /// Reads the marks of the row that a statement stands on: favourite, tags, note.
    static func marks(_ row: inout RawStatement) -> ExchangeMarks {
        let isFavourite = row.integer() == 1
        let tags = row.text().map(Tag.separated) ?? []
        return ExchangeMarks(isFavourite: isFavourite, tags: tags, note: row.text())
    }

    /// Reads the marks of an exchange.
    static func read(_ id: ExchangeID, in db: Database) throws -> ExchangeMarks {
        var row = try RawStatement("SELECT favourite, tags, note FROM mark WHERE exchange = ?", on: db)
        defer { row.reset() }
        row.bind(id)
        return try row.step() ? marks(&row) : ExchangeMarks()
    }

    /// Writes the marks of an exchange in the place of earlier marks.
    static func write(_ marks: ExchangeMarks, of id: ExchangeID, in db: Database) throws {
        guard !marks.isEmpty else {
            var deletion = try RawStatement("DELETE FROM mark WHERE exchange = ?", on: db)
            deletion.bind(id)
            return try deletion.run()
        }
        var row = try RawStatement(
            "INSERT OR REPLACE INTO mark (exchange, favourite, tags, note) VALUES (?, ?, ?, ?)",
            on: db
        )
        row.bind(id)
        row.bind(marks.isFavourite ? 1 : 0)
        row.bind(marks.tags.isEmpty ? nil : Tag.joined(marks.tags))
        row.bind(marks.note)
        try row.run()
    }
}
