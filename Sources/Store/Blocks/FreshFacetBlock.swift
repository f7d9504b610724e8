import GRDB
import Traffic

/// A block with its numbers, made from rows and ready to be written.
struct FreshFacetBlock: Sendable {
    let facets: FacetBlock
    let numbers: NumberColumns
    let lines: LineColumns

    /// Makes a block of the ended exchanges among its ids, up to one of them or to the last that was given out.
    ///
    /// - Parameters:
    ///   - index: the block's place.
    ///   - through: the last id that is looked at; `nil` for all.
    ///   - leavingOpen: ended exchanges that count as open, because they were when an earlier block was made.
    ///   - db: where.
    /// - Throws: what SQLite says.
    init(index: Int64, through: ExchangeID? = nil, leavingOpen: Set<ExchangeID> = [], in db: Database) throws {
        let last = try min(through ?? TrafficStore.lastID(in: db), FacetBlock.lastID(of: index))
        var row = try RawStatement(ExchangeRow.measuredSelection + "WHERE id >= ? AND id <= ? ORDER BY id", on: db)
        defer { row.reset() }
        row.bind(FacetBlock.firstID(of: index))
        row.bind(last)
        var exchanges: [ExchangeSummary] = []
        var truncated: Set<ExchangeID> = []
        var open: [ExchangeID] = []
        while try row.step() {
            let (line, isTruncated) = ExchangeRow.measured(&row)
            if isTruncated { truncated.insert(line.id) }
            if line.outcome == .pending || leavingOpen.contains(line.id) {
                open.append(line.id)
            } else {
                exchanges.append(line)
            }
        }
        facets = FacetBlock(index: index, through: last, exchanges: exchanges, open: open)
        numbers = NumberColumns(exchanges: exchanges)
        lines = LineColumns(exchanges, truncated: truncated)
    }

    /// Writes blocks anew that there are, after an edit of their exchanges, within the transaction of the edit.
    static func rewrite(_ indexes: some Sequence<Int64>, in db: Database) throws {
        var question = try RawStatement("SELECT 1 FROM facet_block WHERE id = ? AND layout = ?", on: db)
        for index in indexes {
            question.bind(index)
            question.bind(FacetBlock.layout)
            let isThere = try question.step()
            question.reset()
            if isThere { try FreshFacetBlock(index: index, in: db).write(in: db) }
        }
    }

    /// Whether nothing is to be written: its numbers are given out and all its exchanges gone, or none of its numbers is given out yet.
    private var isSpent: Bool {
        facets.count == 0 && facets.open.isEmpty
            && (facets.through == FacetBlock.lastID(of: facets.index) || facets.through < facets.firstID)
    }

    /// Writes the block with its columns in the place of an earlier one, all or nothing; takes that away where nothing is left to write.
    ///
    /// A process that was killed in between would leave a block whose columns are not there, and that nobody makes again.
    func write(in db: Database) throws {
        if isSpent { return try remove(in: db) }
        try db.inSavepoint {
            try writeRow(in: db)
            try lines.write(facets.index, in: db)
            return .commit
        }
    }

    private func remove(in db: Database) throws {
        try db.inSavepoint {
            try FacetBlockRow.remove(facets.index, in: db)
            try LineColumns.remove(facets.index, in: db)
            return .commit
        }
    }

    private func writeRow(in db: Database) throws {
        var row = try RawStatement(
            """
            INSERT INTO facet_block (id, layout, revision, through, count, open, first_started, last_started, facets, numbers)
            VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET layout = excluded.layout, revision = (revision & \(Int64.max >> 1)) + 1, through = excluded.through,
                count = excluded.count, open = excluded.open, first_started = excluded.first_started, last_started = excluded.last_started,
                facets = excluded.facets, numbers = excluded.numbers
            """,
            on: db
        )
        row.bind(facets.index)
        row.bind(FacetBlock.layout)
        row.bind(facets.through)
        row.bind(Int64(facets.count))
        row.bind(Int64(facets.open.count))
        row.bind(numbers.started.min() ?? 0)
        row.bind(numbers.started.max() ?? 0)
        row.bind(facets.encoded())
        row.bind(numbers.encoded())
        try row.run()
    }
}
