import GRDB
import Traffic

/// The exchanges that a policy lets go of next: a number of the oldest that ended, and every other exchange that began before a time.
///
/// Numbers do not follow the starts: a clock is set back, or an archive brings old exchanges in behind new ones. So exchanges that began before a
/// time are looked for in each block that says that it has some, and in every row that has no block yet. Such rows are few, since blocks follow soon.
struct Expired {
    /// How many exchanges go whenever they began.
    let limit: Int
    /// Exchanges that began before this time go in any case: microseconds since 1970.
    let startedBefore: Int64?
    let includesMarked: Bool

    /// Their ids, at most `Deletion.limit`.
    func ids(in db: Database) throws -> [ExchangeID] {
        let oldest = limit > 0 ? try self.oldest(in: db) : []
        guard let startedBefore, oldest.count < Deletion.limit else { return oldest }
        return try aged(startedBefore, besides: oldest, in: db)
    }

    /// The condition that every row has to meet, as SQL: it is not open, and not marked where marks are kept.
    private var isFree: String {
        let unmarked = " AND NOT EXISTS (SELECT 1 FROM mark WHERE mark.exchange = exchange.id)"
        return "id NOT IN (SELECT id FROM open_exchange)" + (includesMarked ? "" : unmarked)
    }

    /// The oldest exchanges, whenever they began.
    private func oldest(in db: Database) throws -> [ExchangeID] {
        var row = try RawStatement("SELECT id FROM exchange WHERE \(isFree) ORDER BY id LIMIT ?", on: db)
        defer { row.reset() }
        row.bind(Int64(min(limit, Deletion.limit)))
        var ids: [ExchangeID] = []
        while try row.step() { ids.append(row.integer() ?? 0) }
        return ids
    }

    /// The oldest exchanges, then the others that began before a time.
    private func aged(_ time: Int64, besides oldest: [ExchangeID], in db: Database) throws -> [ExchangeID] {
        var ids = oldest
        var next = (oldest.last ?? 0) + 1
        for block in try FacetBlockRow.readAll(in: db) where block.through >= next {
            let first = FacetBlock.firstID(of: block.index)
            if first > next {
                try add(&ids, from: next, through: first - 1, time, in: db)
            }
            // A block tells times of ended exchanges alone. An exchange that an archive calls pending is open in the block,
            // though in no list of open exchanges.
            if block.open > 0 || block.count > 0 && block.firstStarted < time {
                try add(&ids, from: max(first, next), through: block.through, time, in: db)
            }
            guard ids.count < Deletion.limit else { return ids }
            next = block.through + 1
        }
        try add(&ids, from: next, through: .max, time, in: db)
        return ids
    }

    /// Adds the exchanges of some rows that began before a time.
    private func add(
        _ ids: inout [ExchangeID],
        from first: ExchangeID,
        through last: ExchangeID,
        _ time: Int64,
        in db: Database
    ) throws {
        var row = try RawStatement(
            "SELECT id FROM exchange WHERE id >= ? AND id <= ? AND started < ? AND \(isFree) ORDER BY id LIMIT ?",
            on: db
        )
        defer { row.reset() }
        row.bind(first)
        row.bind(last)
        row.bind(time)
        row.bind(Int64(Deletion.limit - ids.count))
        while try row.step() { ids.append(row.integer() ?? 0) }
    }
}
