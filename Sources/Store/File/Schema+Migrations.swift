import GRDB

/// The steps from each version of the tables to the next, in the words of that version.
///
/// A step is never changed, and shares no text with the tables of today: the steps after it were written for exactly what it makes.
extension Schema {
    /// Brings an older store up to this version, within a transaction of the caller.
    static func migrate(_ db: Database, from old: Int32) throws {
        for (step, version) in zip(steps, Int32(2)...) where old < version { try step(db) }
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// The first leads to version 2.
    private static let steps: [@Sendable (Database) throws -> Void] = [
        messages, blocks, life, archives, lenses, origins,
    ]

    /// Version 2: messages of streams.
    @Sendable
    private static func messages(_ db: Database) throws {
        for column in ["request_messages", "response_messages", "stream", "upstream_stream"] {
            try db.execute(sql: "ALTER TABLE exchange ADD COLUMN \(column) INTEGER")
        }
        try db.execute(
            sql: """
                CREATE TABLE message (
                    id INTEGER PRIMARY KEY, exchange INTEGER NOT NULL REFERENCES exchange(id), side TEXT NOT NULL,
                    time INTEGER NOT NULL, kind TEXT NOT NULL, opcode INTEGER NOT NULL, wire_bytes INTEGER NOT NULL,
                    size INTEGER NOT NULL, compressed INTEGER NOT NULL, status INTEGER, event_name TEXT, event_id TEXT,
                    problem TEXT, payload BLOB NOT NULL
                )
                """
        )
    }

    /// Version 3: blocks of lines and texts.
    @Sendable
    private static func blocks(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE line_column (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
                CREATE TABLE search_block (
                    id INTEGER PRIMARY KEY, layout INTEGER NOT NULL, settled INTEGER NOT NULL, places BLOB NOT NULL,
                    urls BLOB NOT NULL, lines BLOB NOT NULL, messages BLOB NOT NULL, bodies BLOB NOT NULL
                );
                CREATE TABLE search_group (
                    id INTEGER PRIMARY KEY, layout INTEGER NOT NULL, width INTEGER NOT NULL, settled BLOB NOT NULL,
                    large BLOB NOT NULL
                );
                CREATE TABLE search_filter (id INTEGER PRIMARY KEY, bits BLOB NOT NULL);
                """
        )
    }

    /// Version 4: marks, sessions, saved searches, and what must be known to delete.
    @Sendable
    private static func life(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE mark (
                    exchange INTEGER PRIMARY KEY REFERENCES exchange(id), favourite INTEGER NOT NULL, tags TEXT, note TEXT
                );
                CREATE TABLE session (first INTEGER PRIMARY KEY, name TEXT, started INTEGER NOT NULL);
                CREATE TABLE saved_search (name TEXT PRIMARY KEY, query TEXT NOT NULL) WITHOUT ROWID;
                CREATE TABLE sequence (id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL);
                CREATE TABLE body_share (body INTEGER PRIMARY KEY, others INTEGER NOT NULL);
                """
        )
        // Blocks of the layout before say nothing of open exchanges; they are made again.
        try db.execute(sql: "ALTER TABLE facet_block ADD COLUMN open INTEGER NOT NULL DEFAULT 0")
        try db.execute(
            sql: """
                INSERT INTO body_share (body, others) SELECT body, count(*) - 1 FROM (
                    SELECT request_body AS body FROM exchange WHERE request_body IS NOT NULL
                    UNION ALL SELECT response_body FROM exchange WHERE response_body IS NOT NULL
                ) GROUP BY body HAVING count(*) > 1
                """
        )
    }

    /// Version 5: imports of archives.
    @Sendable
    private static func archives(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE exchange ADD COLUMN request_archived TEXT")
        try db.execute(sql: "ALTER TABLE exchange ADD COLUMN response_archived TEXT")
        try db.execute(
            sql: """
                CREATE TABLE archive_import (
                    id INTEGER PRIMARY KEY, name TEXT NOT NULL, state TEXT NOT NULL, started INTEGER NOT NULL,
                    count INTEGER NOT NULL, first INTEGER, last INTEGER
                )
                """
        )
    }

    /// Version 6: the lens of an exchange.
    @Sendable
    private static func lenses(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE exchange ADD COLUMN lens TEXT")
        // What was the text of a line is a facet now: they are made again.
        for table in ["line_column", "facet_block"] { try db.execute(sql: "DELETE FROM \(table)") }
    }

    /// Version 7: who is at the other end of a connection.
    @Sendable
    private static func origins(_ db: Database) throws {
        for column in [
            "tls_cipher TEXT", "process INTEGER", "process_name TEXT", "client_hello TEXT", "client_runtime TEXT",
        ] {
            try db.execute(sql: "ALTER TABLE connection ADD COLUMN \(column)")
        }
        // A program's name was the text of a line before it was a facet: they are made again.
        for table in ["line_column", "facet_block"] { try db.execute(sql: "DELETE FROM \(table)") }
    }
}
