import GRDB

/// What the tests ask of the file itself, as another program would.
///
/// Here, in `StoreDamage`, in `StoredColumn` and in the stored files of versions stands all that these tests know of the tables.
extension TemporaryStore {
    /// What the file keeps a row for.
    enum Row: String {
        case bodyPiece = "body_chunk"
        case connection
        case certificate
        case marks = "mark"
        case openExchange = "open_exchange"
        case facetBlock = "facet_block"
        case searchBlock = "search_block"
        case searchGroup = "search_group"
        case searchFilter = "search_filter"
        case lineColumn = "line_column"
        case message
    }

    /// How many rows of a kind there are.
    func count(_ row: Row) throws -> Int { try number("SELECT count(*) FROM \(row.rawValue)") }

    /// Whether the file has a place for rows of a kind.
    func hasTable(of row: Row) throws -> Bool {
        try number("SELECT count(*) FROM sqlite_master WHERE name = '\(row.rawValue)'") > 0
    }

    /// The bytes of all bodies together, equal ones counted once where they are kept once.
    func bodyBytes() throws -> Int { try number("SELECT coalesce(sum(length(bytes)), 0) FROM body_chunk") }

    /// The bytes of the longest piece that a body is kept in.
    func longestBodyPiece() throws -> Int { try number("SELECT max(length(bytes)) FROM body_chunk") }

    /// How often the blocks of columns were written, all together.
    func blockRevisions() throws -> Int { try number("SELECT sum(revision) FROM facet_block") }

    /// How many search blocks have a word of a body in them.
    func searchBlocks(holding word: String) throws -> Int {
        try number("SELECT count(*) FROM search_block WHERE instr(CAST(bodies AS TEXT), '\(word)')")
    }

    /// How many search blocks have settled all of their exchanges.
    func settledSearchBlocks() throws -> Int {
        try number("SELECT count(*) FROM search_block WHERE settled = \(UInt32.max)")
    }

    /// Whether SQLite finds its pages in order and every reference met.
    func isIntact() throws -> Bool {
        try number("SELECT count(*) FROM pragma_quick_check WHERE quick_check <> 'ok'") == 0
            && number("SELECT count(*) FROM pragma_foreign_key_check") == 0
    }

    /// The version of the tables.
    func version() throws -> Int { try number("PRAGMA user_version") }

    /// The size of a page, and how many there are.
    func pages() throws -> (count: Int, bytes: Int) {
        (try number("PRAGMA page_count"), try number("PRAGMA page_size"))
    }

    /// What makes the tables and indices, in no order: each column by itself, and what stands around the columns.
    func tables() throws -> Set<String> {
        var configuration = Configuration()
        configuration.readonly = true
        let statements = try DatabaseQueue(path: path, configuration: configuration).read { db in
            try String.fetchAll(db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        }
        return statements.reduce(into: []) { parts, statement in
            let words = statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard let open = words.firstIndex(of: "("), let close = words.lastIndex(of: ")") else { return }
            let name = words[..<open].split(separator: " ").joined(separator: " ")
            parts.insert("\(name) \(words[words.index(after: close)...])")
            for column in words[words.index(after: open)..<close].split(separator: ",") {
                parts.insert("\(name): \(column.split(separator: " ").joined(separator: " "))")
            }
        }
    }

    private func number(_ sql: String) throws -> Int {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration).read { try Int.fetchOne($0, sql: sql) ?? 0 }
    }
}
