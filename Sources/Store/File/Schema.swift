import GRDB

/// The tables of a store and the numbers by which a store is known.
///
/// A change of a table needs a step in `Schema+Migrations`, whose texts stay what they are, and a stored file of the new version in the tests.
enum Schema {
    /// What `PRAGMA application_id` says in every store: `insp`.
    static let applicationID: Int32 = 0x696E_7370
    /// What `PRAGMA user_version` says; a greater one was made by a newer inspect.
    static let version: Int32 = 8

    /// The statements that make the tables of an empty store, one each.
    static let tables = statements + blocks + life

    /// Makes an empty store's tables, within a transaction of the caller.
    static func create(in db: Database) throws {
        for statement in tables { try db.execute(sql: statement) }
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// The blocks beside facet blocks; all can be made again from the rows.
    private static let blocks = [
        // Texts of the lines of a facet block's exchanges: `id >> 3 = id of the block`, the rest of the id says which text; see `LineColumn`.
        "CREATE TABLE line_column (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)",
        // Texts of the ended exchanges with `(id - 1) / 32 = id of the block`; see `SearchBlock`.
        """
        CREATE TABLE search_block (
            id INTEGER PRIMARY KEY,
            layout INTEGER NOT NULL,
            settled INTEGER NOT NULL,
            places BLOB NOT NULL,
            urls BLOB NOT NULL,
            lines BLOB NOT NULL,
            messages BLOB NOT NULL,
            bodies BLOB NOT NULL
        )
        """,
        // Which of 128 search blocks may hold a text; see `SearchGroup`.
        """
        CREATE TABLE search_group (
            id INTEGER PRIMARY KEY,
            layout INTEGER NOT NULL,
            width INTEGER NOT NULL,
            settled BLOB NOT NULL,
            large BLOB NOT NULL
        )
        """,
        // The filters of a group's blocks, bit by bit: rows with `id >> 8 = group`, the rest of the id says which 512 of the bits.
        """
        CREATE TABLE search_filter (
            id INTEGER PRIMARY KEY,
            bits BLOB NOT NULL
        )
        """,
    ]

    /// The imports of archives: an import that is `running` at the opening of a store was broken off.
    private static let archiveImport = """
        CREATE TABLE archive_import (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            state TEXT NOT NULL,
            started INTEGER NOT NULL,
            count INTEGER NOT NULL,
            first INTEGER,
            last INTEGER
        )
        """

    /// The messages of streams: an exchange has the rows with `id >> 28 = exchange`, and the rest of the id is their number.
    private static let message = """
        CREATE TABLE message (
            id INTEGER PRIMARY KEY,
            exchange INTEGER NOT NULL REFERENCES exchange(id),
            side TEXT NOT NULL,
            time INTEGER NOT NULL,
            kind TEXT NOT NULL,
            opcode INTEGER NOT NULL,
            wire_bytes INTEGER NOT NULL,
            size INTEGER NOT NULL,
            compressed INTEGER NOT NULL,
            status INTEGER,
            event_name TEXT,
            event_id TEXT,
            problem TEXT,
            payload BLOB NOT NULL
        )
        """

    /// Marks, sessions and saved searches, and what must be known so that exchanges can be deleted.
    private static let life = [
        // `tags` are sorted and joined by commas.
        """
        CREATE TABLE mark (
            exchange INTEGER PRIMARY KEY REFERENCES exchange(id),
            favourite INTEGER NOT NULL,
            tags TEXT,
            note TEXT
        )
        """,
        // A session holds the exchanges from `first` up to that of the next session; a row without a name ends a session.
        "CREATE TABLE session (first INTEGER PRIMARY KEY, name TEXT, started INTEGER NOT NULL)",
        "CREATE TABLE saved_search (name TEXT PRIMARY KEY, query TEXT NOT NULL) WITHOUT ROWID",
        // The greatest id that was given out when exchanges were deleted last, so that none is given out again.
        "CREATE TABLE sequence (id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL)",
        // The bodies that several messages share, with how many messages share each beside the first.
        "CREATE TABLE body_share (body INTEGER PRIMARY KEY, others INTEGER NOT NULL)",
    ]

    /// The tables of exchanges, their bodies, connections and facets.
    ///
    /// No table but its key has an index: rows are appended by the capture path, and what must be found fast is found through `facet_block`.
    private static let statements = [
        // `rules` is a JSON list of what rules did; see `StoredRules`.
        """
        CREATE TABLE exchange (
            id INTEGER PRIMARY KEY,
            started INTEGER NOT NULL,
            duration INTEGER,
            method TEXT NOT NULL,
            scheme TEXT,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            target TEXT NOT NULL,
            code INTEGER,
            media_type TEXT,
            request_bytes INTEGER NOT NULL,
            response_bytes INTEGER NOT NULL,
            version TEXT,
            upstream_version TEXT,
            client_name TEXT,
            lens TEXT,
            process TEXT,
            outcome TEXT NOT NULL,
            failure_side TEXT,
            failure_phase TEXT,
            failure_cause TEXT,
            failure_message TEXT,
            failure_retry INTEGER,
            replay_of INTEGER REFERENCES exchange(id),
            blocked INTEGER,
            dns INTEGER,
            connect INTEGER,
            tls INTEGER,
            send INTEGER,
            wait INTEGER,
            receive INTEGER,
            client INTEGER REFERENCES connection(id),
            upstream INTEGER REFERENCES connection(id),
            request_body INTEGER,
            request_kept INTEGER NOT NULL,
            request_sha256 BLOB,
            response_body INTEGER,
            response_kept INTEGER NOT NULL,
            response_sha256 BLOB,
            warnings TEXT,
            request_head BLOB NOT NULL,
            request_sent_head BLOB,
            request_trailers BLOB,
            response_head BLOB,
            response_sent_head BLOB,
            response_trailers BLOB,
            interim BLOB,
            own_response BLOB,
            request_messages INTEGER,
            response_messages INTEGER,
            stream INTEGER,
            upstream_stream INTEGER,
            request_archived TEXT,
            response_archived TEXT,
            rules TEXT
        )
        """,
        message,
        archiveImport,
        // The exchanges whose `outcome` is pending, so that a crash is found without reading every row.
        "CREATE TABLE open_exchange (id INTEGER PRIMARY KEY REFERENCES exchange(id))",
        // A body is the chunks with `id >> 20 = body`, in order.
        "CREATE TABLE body_chunk (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)",
        """
        CREATE TABLE connection (
            id INTEGER PRIMARY KEY,
            token INTEGER NOT NULL,
            address TEXT NOT NULL,
            tls_version TEXT,
            server_name TEXT,
            application_protocol TEXT,
            certificates TEXT,
            tls_cipher TEXT,
            process INTEGER,
            process_name TEXT,
            client_hello TEXT,
            client_runtime TEXT
        )
        """,
        // DER; `connection.certificates` is a JSON list of these ids, leaf first.
        "CREATE TABLE certificate (id INTEGER PRIMARY KEY, der BLOB NOT NULL)",
        """
        CREATE TABLE capture_gap (
            id INTEGER PRIMARY KEY,
            count INTEGER NOT NULL,
            started INTEGER NOT NULL,
            ended INTEGER NOT NULL,
            cause TEXT NOT NULL
        )
        """,
        // Columns of the ended exchanges with `(id - 1) / 4096 = id of the block`, up to `through`; see `FacetBlock`.
        """
        CREATE TABLE facet_block (
            id INTEGER PRIMARY KEY,
            layout INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            through INTEGER NOT NULL,
            count INTEGER NOT NULL,
            open INTEGER NOT NULL DEFAULT 0,
            first_started INTEGER NOT NULL,
            last_started INTEGER NOT NULL,
            facets BLOB NOT NULL,
            numbers BLOB NOT NULL
        )
        """,
    ]
}
