import GRDB
import Traffic

/// The exchanges that a policy lets go of next: the oldest that ended, so many of them, and any further ones that began before a time.
struct Expired {
    /// How many go whenever they began.
    let limit: Int
    /// Those that began before this go in any case: microseconds since 1970.
    let startedBefore: Int64?
    let includesMarked: Bool

    /// Their ids, oldest first, at most `Deletion.limit`.
    func ids(in db: Database) throws -> [ExchangeID] {
        guard limit > 0 || startedBefore != nil else { return [] }
        let unmarked = "AND NOT EXISTS (SELECT 1 FROM mark WHERE mark.exchange = exchange.id)"
        var row = try RawStatement(
            """
            SELECT id, started FROM exchange WHERE id NOT IN (SELECT id FROM open_exchange) \(includesMarked ? "" : unmarked) ORDER BY id LIMIT ?
            """,
            on: db
        )
        defer { row.reset() }
        row.bind(Int64(Deletion.limit))
        var ids: [ExchangeID] = []
        while try row.step() {
            let (id, started) = (row.integer() ?? 0, row.integer() ?? 0)
            // Ids follow the starts closely enough: what began later and stands before is soon of age too.
            guard ids.count < limit || startedBefore.map({ started < $0 }) == true else { break }
            ids.append(id)
        }
        return ids
    }
}
