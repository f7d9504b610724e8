import GRDB
import Traffic

/// A block with its numbers, made from rows and ready to be written.
struct FreshFacetBlock: Sendable {
    let facets: FacetBlock
    let numbers: NumberColumns

    /// Makes a block of the ended exchanges among its ids.
    init(index: Int64, in db: Database) throws {
        var newest = try RawStatement("SELECT coalesce(max(id), 0) FROM exchange", on: db)
        defer { newest.reset() }
        let last = try newest.step() ? newest.integer() ?? 0 : 0
        var row = try RawStatement(
            ExchangeRow.summarySelection + "WHERE id >= ? AND id <= ? AND outcome <> 'pending' ORDER BY id",
            on: db
        )
        defer { row.reset() }
        row.bind(FacetBlock.firstID(of: index))
        row.bind(FacetBlock.lastID(of: index))
        var exchanges: [ExchangeSummary] = []
        while try row.step() { exchanges.append(ExchangeRow.summary(&row)) }
        facets = FacetBlock(index: index, through: min(last, FacetBlock.lastID(of: index)), exchanges: exchanges)
        numbers = NumberColumns(exchanges: exchanges)
    }

    /// Writes the block in the place of an earlier one.
    func write(in db: Database) throws {
        var row = try RawStatement(
            """
            INSERT INTO facet_block (id, layout, revision, through, count, first_started, last_started, facets, numbers)
            VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET layout = excluded.layout, revision = revision + 1, through = excluded.through,
                count = excluded.count, first_started = excluded.first_started, last_started = excluded.last_started,
                facets = excluded.facets, numbers = excluded.numbers
            """,
            on: db
        )
        row.bind(facets.index)
        row.bind(FacetBlock.layout)
        row.bind(facets.through)
        row.bind(Int64(facets.count))
        row.bind(numbers.started.min() ?? 0)
        row.bind(numbers.started.max() ?? 0)
        row.bind(facets.encoded())
        row.bind(numbers.encoded())
        try row.run()
    }
}
