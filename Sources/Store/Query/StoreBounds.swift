import GRDB
import Traffic

/// The first and the last number and start of a store: from blocks, and from rows only where no block tells.
struct StoreBounds {
    /// The numbers of the oldest and the newest exchange; `nil` where there is none.
    let ids: ClosedRange<ExchangeID>?
    /// The earliest and the latest start: microseconds since 1970.
    private(set) var started: ClosedRange<Int64>?

    init(in db: Database, cache: BlockCache) throws {
        // The numbers that a query looks at.
        var ends = try RawStatement(
            "SELECT (SELECT min(id) FROM exchange WHERE id > 0), (SELECT max(id) FROM exchange WHERE id < \(ExchangeID.max))",
            on: db
        )
        defer { ends.reset() }
        guard try ends.step(), let oldest = ends.integer(), let newest = ends.integer(), oldest <= newest else {
            ids = nil
            return
        }
        ids = oldest...newest
        var next: ExchangeID = oldest
        for row in try cache.rows(in: db) {
            let first = FacetBlock.firstID(of: row.index)
            if next < first { try read(from: next, to: first, in: db) }
            next = max(next, row.through + 1)
            if row.count > 0 { join(row.firstStarted...max(row.firstStarted, row.lastStarted)) }
            // A row that says no exchange is not believed without its block.
            guard row.open > 0 || row.count == 0 else { continue }
            guard let block = try cache.facets(row, in: db) else {
                try read(from: first, to: row.through + 1, in: db)
                continue
            }
            for offset in block.open { try read(from: first + Int64(offset), to: first + Int64(offset) + 1, in: db) }
        }
        if next <= newest { try read(from: next, to: newest + 1, in: db) }
    }

    private mutating func read(from first: ExchangeID, to end: ExchangeID, in db: Database) throws {
        var row = try RawStatement(
            "SELECT min(started), max(started) FROM exchange WHERE id >= ? AND id < ?",
            on: db
        )
        defer { row.reset() }
        row.bind(first)
        row.bind(end)
        if try row.step(), let earliest = row.integer(StoredNumber.moments),
            let latest = row.integer(StoredNumber.moments)
        {
            join(earliest...latest)
        }
    }

    private mutating func join(_ range: ClosedRange<Int64>) {
        guard let known = started else { return started = range }
        started = min(known.lowerBound, range.lowerBound)...max(known.upperBound, range.upperBound)
    }
}
