import GRDB
import NIOCore
import Traffic

/// A block as a row of the table `facet_block`, without its columns.
struct FacetBlockRow: Sendable {
    /// The block's place.
    var index: Int64
    /// Grows each time the block is written again.
    var revision: Int64
    /// The greatest id that was looked at.
    var through: ExchangeID
    /// Exchanges in it.
    var count: Int
    /// Exchanges that were open when it was made.
    var open: Int
    /// The earliest and the latest start: microseconds since 1970.
    var firstStarted: Int64
    var lastStarted: Int64

    /// Whether a row's id is a place that a block can have, as SQL.
    static let indexSoundness = "id BETWEEN \(FacetBlock.places.lowerBound) AND \(FacetBlock.places.upperBound)"
    /// Whether a row has numbers that a block can have, as SQL: a store is read whoever wrote it.
    static let soundness = """
        \(indexSoundness)
        AND through BETWEEN id * \(FacetBlock.capacity) AND (id + 1) * \(FacetBlock.capacity)
        AND count BETWEEN 0 AND \(FacetBlock.capacity) AND open BETWEEN 0 AND \(FacetBlock.capacity)
        """
    private static let selection = """
        SELECT id, revision, through, count, open, first_started, last_started FROM facet_block
        WHERE layout = ? AND \(soundness)
        """

    /// Every block of the present layout, ascending, but for those whose row is damaged.
    static func readAll(in db: Database) throws -> [FacetBlockRow] {
        var row = try RawStatement(selection + " ORDER BY id", on: db)
        defer { row.reset() }
        row.bind(FacetBlock.layout)
        var rows: [FacetBlockRow] = []
        while try row.step() { rows.append(FacetBlockRow(&row)) }
        return rows
    }

    /// A block of the present layout; `nil` where it is not there.
    static func read(_ index: Int64, in db: Database) throws -> FacetBlockRow? {
        var row = try RawStatement(selection + " AND id = ?", on: db)
        defer { row.reset() }
        row.bind(FacetBlock.layout)
        row.bind(index)
        return try row.step() ? FacetBlockRow(&row) : nil
    }

    /// The row that a statement of `selection` stands on.
    private init(_ row: inout RawStatement) {
        index = row.integer() ?? 0
        revision = row.integer() ?? 0
        through = row.integer() ?? 0
        count = Int(row.integer() ?? 0)
        open = Int(row.integer() ?? 0)
        firstStarted = row.integer(StoredNumber.moments) ?? 0
        lastStarted = row.integer(StoredNumber.moments) ?? 0
    }

    /// Deletes a block.
    static func remove(_ index: Int64, in db: Database) throws {
        var row = try RawStatement("DELETE FROM facet_block WHERE id = ?", on: db)
        row.bind(index)
        try row.run()
    }

    /// The block's facets; `nil` when they cannot be read as such, or are not of as many exchanges as the row says.
    func facets(in db: Database) throws -> FacetBlock? {
        guard
            let bytes = try column("facets", in: db),
            let block = FacetBlock(index: index, through: through, encoded: bytes), agrees(with: block)
        else { return nil }
        return block
    }

    /// Whether the row says as many exchanges as its block has, so that a position in the block is one in the row's numbers too.
    func agrees(with block: FacetBlock) -> Bool { count == block.count && open == block.open.count }

    /// The block's numbers; `nil` when they cannot be read as such.
    func numbers(in db: Database) throws -> NumberColumns? {
        guard let bytes = try column("numbers", in: db) else { return nil }
        return NumberColumns(encoded: bytes, count: count)
    }

    /// The starts of the block's exchanges: microseconds since 1970.
    ///
    /// - Throws: `UnreadableBlock` when they cannot be read as such.
    func starts(in db: Database) throws -> [Int64] {
        guard let bytes = try column("numbers", in: db), let starts = NumberColumns.starts(bytes, count: count) else {
            throw UnreadableBlock(index: index)
        }
        return starts
    }

    private func column(_ name: String, in db: Database) throws -> ByteBuffer? {
        var row = try RawStatement("SELECT \(name) FROM facet_block WHERE id = ?", on: db)
        defer { row.reset() }
        row.bind(index)
        return try row.step() ? row.buffer() : nil
    }
}
