import GRDB
import Support
import Testing
import Traffic

/// A way in which a store's rows disagree, done to its file behind the store's back.
struct StoreDamage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let sql: String

    /// Does it to a store, when whoever has it open is not just writing.
    func happen(to home: TemporaryStore) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(Double(Patience.seconds(10)))
        let queue = try DatabaseQueue(path: home.path, configuration: configuration)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    private init(_ description: String, _ sql: String) { (testDescription, self.sql) = (description, sql) }

    static let firstPieceGone = Self("a body's first piece is gone", "DELETE FROM body_chunk WHERE id & 1048575 = 0")
    static let bodyGone = Self("a whole body is gone", "DELETE FROM body_chunk WHERE id >> 20 = 3")
    static let pieceShort = Self("a piece is short", "UPDATE body_chunk SET bytes = x'00' WHERE id & 1048575 = 1")
    static let strayPiece = Self("a piece of nobody's", "INSERT INTO body_chunk (id, bytes) VALUES (99 << 20, x'00')")
    static let shareGone = Self("a count of shares is gone", "DELETE FROM body_share")
    static let otherCode = Self("a row's code is another", "UPDATE exchange SET code = 404 WHERE id = 2")
    /// In the rows and in the block of two exchanges, a second apart.
    static let startsBeforeTime = Self(
        "exchanges began an hour before the year 1, as earlier versions wrote it down",
        """
        UPDATE exchange SET started = -62135600400000000 + (id - 1) * 1000000;
        UPDATE facet_block SET numbers = CAST(x'009C402A004023FF' || substr(numbers, 9) AS BLOB),
            first_started = -62135600400000000, last_started = -62135600399000000;
        """
    )
    static let serverError = Self("a row's code is 500", "UPDATE exchange SET code = 500 WHERE id = 2")
    static let otherDuration = Self("a row's duration is another", "UPDATE exchange SET duration = 1 WHERE id = 2")
    static let otherTags = Self("tags are others", "UPDATE mark SET tags = 'two'")
    /// Lists of what rules did to exchange 2 that are none, or longer than is read.
    static let rulesUnreadable = [
        "'{'", "'[{\"rule\": 7}]'", "'[{\"rule\":\"a\",\"phase\":\"other\",\"action\":\"send\",\"what\":\"\"}]'",
        "x'FF00'", "7", "'[]' || replace(hex(zeroblob(1200000)), '0', ' ')",
    ].map { Self("rules are \($0)", "UPDATE exchange SET rules = \($0) WHERE id = 2") }
    static let rowGone = Self("a row is gone", "DELETE FROM exchange WHERE id = 4")
    static let refusedTarget = Self(
        "one target cannot be written",
        "CREATE TRIGGER refusal BEFORE INSERT ON exchange WHEN NEW.target = '/refused' BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    static let gapsRefused = Self(
        "a gap cannot be written",
        "CREATE TRIGGER refusal BEFORE INSERT ON capture_gap BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    static let gapsTaken = Self("gaps can be written again", "DROP TRIGGER refusal")
    static let newestGone = Self(
        "the newest row is gone",
        "DELETE FROM exchange WHERE id = (SELECT max(id) FROM exchange)"
    )
    static let facetBlocksGone = Self("the facet blocks are gone", "DELETE FROM facet_block; DELETE FROM line_column")
    static let gapsOfMany = Self(
        "more gaps of the greatest count than a number can add up",
        """
        WITH RECURSIVE gap (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM gap WHERE id < 1025)
        INSERT INTO capture_gap SELECT id, \(Int64.max), 1, 2, 'the disk is full' FROM gap
        """
    )
    static let groupOfNothing = Self(
        "a search group says nothing of its blocks, which are gone",
        """
        INSERT INTO search_group (id, layout, width, settled, large) SELECT 0, layout, 16, x'', x'' FROM search_block;
        DELETE FROM search_block;
        """
    )
    static let strayMarks = Self("marks of nobody's", "INSERT INTO mark (exchange, favourite) VALUES (77, 1)")
    static let connectionGone = Self("a connection is gone", "UPDATE exchange SET client = 55 WHERE id = 5")
    static let falselyOpen = Self("an ended exchange is open", "INSERT INTO open_exchange (id) VALUES (2)")
    static let blockUnreadable = Self("a block is no block", "UPDATE facet_block SET facets = x'FFFF'")
    static let numbersUnreadable = Self("a block's numbers are none", "UPDATE facet_block SET numbers = x'00'")
    static let textsUnreadable = Self(
        "a block's paths are none",
        "UPDATE line_column SET bytes = x'00' WHERE id & 7 = 1"
    )
    static let otherTarget = Self("a row's target is another", "UPDATE exchange SET target = '/x' WHERE id = 2")
    static let columnGone = Self("a block's column is gone", "DELETE FROM line_column WHERE id & 7 = 1")
    static let columnsGone = Self("a block's columns are gone", "DELETE FROM line_column")
    static let searchBlocksRefused = Self(
        "a search block cannot be written",
        "CREATE TRIGGER refusal BEFORE INSERT ON search_block BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    static let searchBlocksTaken = Self("search blocks can be written again", "DROP TRIGGER refusal")
    static let earlierTexts = Self(
        "search blocks are of the layout before",
        "UPDATE search_block SET layout = layout - 1, bodies = zeroblob(length(bodies))"
    )
    static let strayFilter = Self(
        "a filter of no group, as earlier versions left them",
        "INSERT INTO search_filter (id, bits) VALUES (99 << 8 | 3, x'00')"
    )
    static let blocksNumbers = ["through", "count", "open"].flatMap { column in
        [Int64.max, .min].map { number in
            Self("a block's \(column) is \(number)", "UPDATE facet_block SET \(column) = \(number)")
        }
    }
    /// What makes a block of two exchanges disagree with its row, or with itself.
    static let blockOfTwo = [
        Self("a block's row says one exchange fewer", "UPDATE facet_block SET count = count - 1"),
        Self("a block's row says one exchange more", "UPDATE facet_block SET count = count + 1"),
        Self("a block's row says no exchange", "UPDATE facet_block SET count = 0"),
        Self("a block's row says an open exchange", "UPDATE facet_block SET open = 1"),
        Self(
            "a block's exchanges have no values",
            "UPDATE facet_block SET facets = x'0200010000\(String(repeating: "0000", count: Facet.all.count))'"
        ),
    ]
    static let blockBeyondIDs = Self(
        "a block's ids are greater than a number can be",
        "UPDATE facet_block SET id = \(Int64.max / 4096), through = \(Int64.max)"
    )
    /// A block of each kind at a place that none can have.
    static let blocksBeyondPlaces = [Int64.max, -1].map { place in
        Self(
            "blocks are at \(place)",
            """
            INSERT INTO search_group (id, layout, width, settled, large)
            SELECT \(place), layout, 16, zeroblob(512), x'' FROM search_block WHERE id = 0;
            INSERT INTO search_block SELECT \(place), layout, settled, places, urls, lines, messages, bodies
            FROM search_block WHERE id = 0;
            INSERT INTO facet_block
            SELECT \(place), layout, revision, through, count, open, first_started, last_started, facets, numbers
            FROM facet_block WHERE id = 0;
            """
        )
    }
    /// Blocks of numbers that were not given out yet, and facet blocks with numbers that none can have.
    static let blocksOfNoNumbers: [StoreDamage] = {
        let row = """
            INSERT INTO facet_block SELECT 7, layout, revision, 8 * 4096, count, open, first_started, last_started, facets, numbers
            FROM facet_block WHERE id = 0;
            """
        let columns = "INSERT INTO line_column SELECT id + (7 << 3), bytes FROM line_column WHERE id >> 3 = 0"
        let many = """
            WITH RECURSIVE place (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM place WHERE id < 3000)
            INSERT INTO facet_block
            SELECT place.id, layout, revision, (place.id + 1) * 4096, count, open, first_started, last_started, facets, numbers
            FROM facet_block, place WHERE facet_block.id = 0;
            """
        let search = """
            INSERT INTO search_group (id, layout, width, settled, large)
            SELECT 1, layout, 16, zeroblob(512), x'' FROM search_block WHERE id = 0;
            INSERT INTO search_filter (id, bits) VALUES (1 << 8, zeroblob(8192));
            INSERT INTO search_block SELECT 1, layout, settled, places, urls, lines, messages, bodies
            FROM search_block WHERE id = 0;
            """
        let unsound =
            row + columns + "; UPDATE facet_block SET count = -1 WHERE id = 7; UPDATE facet_block SET open = 5000"
        return [
            Self("a block of numbers to come, without columns", row),
            Self("a block of numbers to come", row + columns),
            Self("thousands of blocks of numbers to come", many),
            Self("a search block and a search group of numbers to come", search),
            Self("blocks of numbers that none can have", unsound),
        ]
    }()
    /// Numbers that no body can have.
    ///
    /// In a piece's id the last number would lose its highest bit and be the first response's own.
    static let bodyBeyondIDs = [Int64.max, .min, -1, 1 << 44 | 3].map { number in
        Self("a body has the number \(number)", "UPDATE exchange SET response_body = \(number) WHERE id = 1")
    }
    /// Another number in a column: in the last row alone where the column is a key, else in every row.
    static func number(_ number: Int64, in column: StoredColumn) -> Self {
        let last = " WHERE rowid = (SELECT max(rowid) FROM \(column.table))"
        return Self(
            "\(column.testDescription) is \(number)",
            "UPDATE OR REPLACE \(column.table) SET \(column.name) = \(number)\(column.isKey ? last : "")"
        )
    }
    static let groupOfAll = Self(
        "a search group says that the first block's exchanges are in it, and have no text",
        """
        INSERT INTO search_group (id, layout, width, settled, large)
        SELECT 0, max(layout), 16, CAST(x'FFFFFFFF' || zeroblob(508) AS BLOB), x'' FROM search_block;
        WITH RECURSIVE slice (id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM slice WHERE id < 255)
        INSERT INTO search_filter (id, bits) SELECT id, zeroblob(8192) FROM slice;
        """
    )
    static let groupAdded = Self(
        "a search group of empty filters, as larger stores have them",
        """
        INSERT INTO search_group (id, layout, width, settled, large)
        SELECT 0, max(layout), 16, zeroblob(512), x'' FROM search_block;
        INSERT INTO search_filter (id, bits) VALUES (0, zeroblob(8192));
        """
    )
    /// What other programs can put into a store's schema, where SQLite would run it, each with the word of the refusal that tells of it.
    static let schemas: [(damage: StoreDamage, word: String)] = [
        (
            Self(
                "a trigger deletes every exchange with the first",
                "CREATE TRIGGER more AFTER DELETE ON exchange BEGIN DELETE FROM exchange; END"
            ),
            "trigger"
        ),
        (
            Self(
                "a view has the name of a table",
                "DROP TABLE open_exchange; CREATE VIEW open_exchange AS SELECT id FROM exchange"
            ),
            "view"
        ),
        (Self("an index computes", "CREATE INDEX hosts ON exchange (lower(host))"), "an index, hosts"),
        (Self("an index asks", "CREATE INDEX some ON exchange (host) WHERE length(host) > 2"), "an index, some"),
        (Self("an index adds", "CREATE INDEX sums ON exchange (code + 1)"), "an index, sums"),
        (Self("a table is virtual", "CREATE VIRTUAL TABLE words USING fts5(word)"), "table"),
        (Self("another table computes", "CREATE TABLE another (id INTEGER DEFAULT (random()))"), "another"),
        (Self("a key's table checks", "CREATE TABLE another (a, UNIQUE (a), CHECK (length(a) < 9))"), "another"),
        (Self("a column is computed", "ALTER TABLE exchange ADD COLUMN size AS (length(request_head))"), "exchange"),
        (
            Self(
                "a column is checked",
                """
                DROP TABLE saved_search;
                CREATE TABLE saved_search (name TEXT PRIMARY KEY, query TEXT NOT NULL CHECK (length(query) < 9)) WITHOUT ROWID;
                """
            ),
            "saved_search"
        ),
        (
            Self(
                "a table has another key",
                "DROP TABLE saved_search; CREATE TABLE saved_search (name TEXT PRIMARY KEY, query TEXT NOT NULL)"
            ),
            "saved_search"
        ),
        (Self("a table is gone", "DROP TABLE search_group"), "search_group"),
    ]
    /// In a store of an earlier version, at a table that the steps to the present version change.
    static let earlierTrigger = Self(
        "a trigger waits for the steps to a later version",
        "CREATE TRIGGER more BEFORE DELETE ON facet_block BEGIN DELETE FROM exchange; END"
    )
    static let tablesBeside = Self(
        "other tables and indices stand beside the store's, as SQLite's own tools leave them",
        """
        CREATE TABLE "lost_and_found"(rootpgno INTEGER, pgno INTEGER, nfield INTEGER, id INTEGER, c0, c1);
        CREATE TABLE again (name TEXT PRIMARY KEY);
        CREATE TABLE "my notes" (name VARCHAR(20), price DECIMAL(10, 2), place INTEGER, PRIMARY KEY (name, "place"));
        CREATE INDEX hosts ON exchange(host);
        CREATE INDEX "my prices" ON "my notes" ("price" DESC, place);
        ANALYZE;
        """
    )
    static let columnRefused = Self(
        "a block's column cannot be written",
        "CREATE TRIGGER refusal BEFORE INSERT ON line_column WHEN NEW.id & 7 = 2 BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
}

extension TemporaryStore {
    /// Makes the file one of another program.
    func becomeForeign() throws {
        try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: "CREATE TABLE moz_places (id INTEGER)") }
    }

    /// Makes a closed store one of a version to come.
    func becomeNewer() throws {
        try DatabaseQueue(path: path).inDatabase {
            try $0.execute(sql: "PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}
