import GRDB
import Traffic

extension CaptureGap {
    /// How far apart two gaps of kind `late` are at least, in microseconds: ten minutes, so that a slow disk makes six of them an hour at most.
    private static let lateDistance: Int64 = 600_000_000

    /// Adds late exchanges to the last gap of their kind; makes a gap of them where that one ended long before.
    ///
    /// Of an early answer this is told only when its exchange ends, which may be hours after it was late. It counts in the last gap, and a gap that began
    /// more than ten minutes after it begins no earlier for it.
    static func add(_ late: LateSpell, in db: Database) throws {
        guard let last = try lastLate(in: db), late.from <= last.gap.to + lateDistance else {
            let gap = CaptureGap(count: late.count, from: late.from, to: late.to, cause: lateCause)
            return try gap.write(in: db)
        }
        var gap = last.gap
        gap.count += late.count
        gap.to = max(gap.to, late.to)
        if late.from >= gap.from - lateDistance { gap.from = min(gap.from, late.from) }
        try gap.write(over: last.row, in: db)
    }

    /// The last gap of kind `late`, which an earlier run of the proxy may have made, and its row.
    private static func lastLate(in db: Database) throws -> (row: Int64, gap: CaptureGap)? {
        var row = try RawStatement(
            "SELECT id, count, started, ended, cause FROM capture_gap WHERE cause = ? ORDER BY id DESC LIMIT 1",
            on: db
        )
        defer { row.reset() }
        row.bind(lateCause)
        guard try row.step(), let id = row.integer() else { return nil }
        return (id, read(&row))
    }
}
