import GRDB
import Traffic

/// Counts the exchanges whose numbers lie in a stretch: from blocks, and from rows only where no block tells.
struct StretchCount {
    private let db: Database
    private let cache: BlockCache
    private let blocks: [FacetBlockRow]

    init(in db: Database, cache: BlockCache) throws {
        (self.db, self.cache) = (db, cache)
        blocks = try cache.rows(in: db)
    }

    /// Counts the exchanges of a stretch; no column is read of a block that lies wholly in it.
    func count(_ stretch: ClosedRange<ExchangeID>) throws -> Int {
        var count = 0
        var next = stretch.lowerBound
        for row in blocks {
            let first = FacetBlock.firstID(of: row.index)
            guard row.through >= max(first, next), first <= stretch.upperBound else { continue }
            if next < first { count += try rows(next...first - 1) }
            let part = max(next, first)...min(row.through, stretch.upperBound)
            if part == first...row.through {
                count += row.count + row.open
            } else if let block = try cache.facets(row, in: db) {
                count += (block.offsets + block.open).count { part.contains(first + ExchangeID($0)) }
            } else {
                count += try rows(part)
            }
            next = part.upperBound + 1
        }
        if next <= stretch.upperBound { count += try rows(next...stretch.upperBound) }
        return count
    }

    private func rows(_ ids: ClosedRange<ExchangeID>) throws -> Int {
        var row = try RawStatement("SELECT count(*) FROM exchange WHERE id >= ? AND id <= ?", on: db)
        defer { row.reset() }
        row.bind(ids.lowerBound)
        row.bind(ids.upperBound)
        return try row.step() ? Int(row.integer() ?? 0) : 0
    }
}
