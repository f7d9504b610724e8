import GRDB

/// The steps from each version of the tables to the next, in the words of that version.
///
/// A step is never changed, and shares no text with the tables of today: the steps after it were written for exactly what it makes.
extension Schema {
    /// Brings an older store up to this version, within a transaction of the caller.
    static func migrate(_ db: Database, from old: Int32) throws {
        for step in migrations where old < step.version { try db.execute(sql: step.sql) }
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Every step, in the order of the versions; the first leads to version 2.
    static let migrations = [messages, blocks, life, archives, lenses, origins, rules]

    /// Version 2: messages of streams.
    private static let messages = Migration(
        version: 2,
        sql: """
            ALTER TABLE exchange ADD COLUMN request_messages INTEGER;
            ALTER TABLE exchange ADD COLUMN response_messages INTEGER;
            ALTER TABLE exchange ADD COLUMN stream INTEGER;
            ALTER TABLE exchange ADD COLUMN upstream_stream INTEGER;
            CREATE TABLE message (
                id INTEGER PRIMARY KEY, exchange INTEGER NOT NULL REFERENCES exchange(id), side TEXT NOT NULL,
                time INTEGER NOT NULL, kind TEXT NOT NULL, opcode INTEGER NOT NULL, wire_bytes INTEGER NOT NULL,
                size INTEGER NOT NULL, compressed INTEGER NOT NULL, status INTEGER, event_name TEXT, event_id TEXT,
                problem TEXT, payload BLOB NOT NULL
            );
            """
    )

    /// Version 3: blocks of texts.
    ///
    /// The table `line_column` came later in this version, so a store of it may lack the table.
    private static let blocks = Migration(
        version: 3,
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

    /// Version 4: marks, sessions, saved searches, and what must be known to delete.
    ///
    /// A facet block of an earlier layout says nothing of open exchanges. It stays, is not read, and is made again.
    private static let life = Migration(
        version: 4,
        sql: """
            CREATE TABLE IF NOT EXISTS line_column (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
            CREATE TABLE mark (
                exchange INTEGER PRIMARY KEY REFERENCES exchange(id), favourite INTEGER NOT NULL, tags TEXT, note TEXT
            );
            CREATE TABLE session (first INTEGER PRIMARY KEY, name TEXT, started INTEGER NOT NULL);
            CREATE TABLE saved_search (name TEXT PRIMARY KEY, query TEXT NOT NULL) WITHOUT ROWID;
            CREATE TABLE sequence (id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL);
            CREATE TABLE body_share (body INTEGER PRIMARY KEY, others INTEGER NOT NULL);
            ALTER TABLE facet_block ADD COLUMN open INTEGER NOT NULL DEFAULT 0;
            INSERT INTO body_share (body, others) SELECT body, count(*) - 1 FROM (
                SELECT request_body AS body FROM exchange WHERE request_body IS NOT NULL
                UNION ALL SELECT response_body FROM exchange WHERE response_body IS NOT NULL
            ) GROUP BY body HAVING count(*) > 1;
            """
    )

    /// Version 5: imports of archives.
    private static let archives = Migration(
        version: 5,
        sql: """
            ALTER TABLE exchange ADD COLUMN request_archived TEXT;
            ALTER TABLE exchange ADD COLUMN response_archived TEXT;
            CREATE TABLE archive_import (
                id INTEGER PRIMARY KEY, name TEXT NOT NULL, state TEXT NOT NULL, started INTEGER NOT NULL,
                count INTEGER NOT NULL, first INTEGER, last INTEGER
            );
            """
    )

    /// Version 6: the lens of an exchange.
    ///
    /// The lens is a facet, and was the text of a line before: the columns are made again.
    private static let lenses = Migration(
        version: 6,
        sql: """
            ALTER TABLE exchange ADD COLUMN lens TEXT;
            DELETE FROM line_column;
            DELETE FROM facet_block;
            """
    )

    /// Version 7: the program at the other end of a connection.
    ///
    /// Its name is a facet, and was the text of a line before: the columns are made again.
    private static let origins = Migration(
        version: 7,
        sql: """
            ALTER TABLE connection ADD COLUMN tls_cipher TEXT;
            ALTER TABLE connection ADD COLUMN process INTEGER;
            ALTER TABLE connection ADD COLUMN process_name TEXT;
            ALTER TABLE connection ADD COLUMN client_hello TEXT;
            ALTER TABLE connection ADD COLUMN client_runtime TEXT;
            DELETE FROM line_column;
            DELETE FROM facet_block;
            """
    )

    /// Version 8: what rules did to an exchange.
    ///
    /// The rules' names are a facet, and a change by a rule is a trait of a line: the columns are made again.
    private static let rules = Migration(
        version: 8,
        sql: """
            ALTER TABLE exchange ADD COLUMN rules TEXT;
            DELETE FROM line_column;
            DELETE FROM facet_block;
            """
    )
}
