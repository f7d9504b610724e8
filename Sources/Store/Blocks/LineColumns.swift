import GRDB
import Traffic

/// The line columns of a block, which are written with it and hold the texts of its exchanges' lines.
struct LineColumns: Sendable {
    private let columns: [LineColumn.Kind: LineColumn]

    /// Makes the columns of exchanges, of which some have bodies that were not kept whole.
    init(_ exchanges: [ExchangeSummary], truncated: Set<ExchangeID>) {
        func maker() -> LineColumn.Maker { LineColumn.Maker(capacity: exchanges.count) }
        var (origins, paths, queries, ports, traits) = (maker(), maker(), maker(), maker(), maker())
        var last: ExchangeSummary?
        for exchange in exchanges {
            // Most often it is the server of the exchange before.
            if let last, exchange.sharesURLStart(with: last) {
                origins.addLast()
                ports.addLast()
            } else {
                origins.add([exchange.urlStart])
                ports.add([String(exchange.port)])
            }
            last = exchange
            paths.add(FilterLine.path.texts(exchange))
            queries.add(FilterLine.query.texts(exchange))
            let isTruncated = truncated.contains(exchange.id)
            traits.add([
                (exchange.isModified ? "m" : "") + (exchange.replayOf == nil ? "" : "r") + (isTruncated ? "t" : "")
            ])
        }
        columns = [
            .origin: origins.column, .path: paths.column, .query: queries.column, .port: ports.column,
            .trait: traits.column,
        ]
    }

    /// Writes the columns of a block in the place of earlier ones.
    func write(_ index: Int64, in db: Database) throws {
        var row = try RawStatement("INSERT OR REPLACE INTO line_column (id, bytes) VALUES (?, ?)", on: db)
        for (kind, column) in columns {
            row.bind(index << LineColumn.kindBits | kind.rawValue)
            row.bind(column.encoded())
            try row.run()
        }
    }

    /// Deletes the columns of a block.
    static func remove(_ index: Int64, in db: Database) throws {
        var row = try RawStatement("DELETE FROM line_column WHERE id >= ? AND id < ?", on: db)
        row.bind(index << LineColumn.kindBits)
        row.bind((index + 1) << LineColumn.kindBits)
        try row.run()
    }

    /// Whether the written columns of a block are the same.
    func isWritten(_ index: Int64, exchanges: Int, in db: Database) throws -> Bool {
        try columns.allSatisfy { kind, column in
            try LineColumns.read(kind, of: index, exchanges: exchanges, in: db) == column
        }
    }

    /// The blocks of which all columns are there.
    static func wholeBlocks(in db: Database) throws -> Set<Int64> {
        var row = try RawStatement("SELECT id FROM line_column ORDER BY id", on: db)
        defer { row.reset() }
        var counts: [Int64: Int] = [:]
        while try row.step() { counts[(row.integer() ?? 0) >> LineColumn.kindBits, default: 0] += 1 }
        return Set(counts.lazy.filter { $0.value == LineColumn.Kind.allCases.count }.map(\.key))
    }

    /// Reads a column of a block of so many exchanges; `nil` where it is missing or damaged.
    static func read(_ kind: LineColumn.Kind, of index: Int64, exchanges: Int, in db: Database) throws -> LineColumn? {
        var row = try RawStatement("SELECT bytes FROM line_column WHERE id = ?", on: db)
        defer { row.reset() }
        row.bind(index << LineColumn.kindBits | kind.rawValue)
        guard try row.step() else { return nil }
        return row.withBlob { LineColumn($0, exchanges: exchanges) }
    }
}
