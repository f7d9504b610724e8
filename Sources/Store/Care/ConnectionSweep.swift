import GRDB
import Synchronization

/// When connections and certificates that nobody refers to any more are looked for, and that it is done by one at a time.
///
/// Looking for them means looking at every exchange, so in a large store it waits until so many were deleted that it is worth it. Two at a time
/// would take each other's word for what is unused: SQLite gives the greatest number out again once its row is gone.
final class ConnectionSweep: Sendable {
    /// Exchanges that are looked at for each that was deleted, at most.
    private static let rowsPerDeletion = 16
    /// Exchanges that are looked at however few were deleted.
    private static let freeRows = 10_000

    /// Exchanges that were deleted and whose connections were not looked for.
    private let debt: Mutex<Int>
    private let turn = Mutex(())

    /// - Parameter debt: exchanges whose connections an earlier process left.
    init(debt: Int = 0) { self.debt = Mutex(debt) }

    /// Counts the connections that are older than the oldest exchange: earlier processes left them behind when they let go of the oldest.
    ///
    /// Unused connections between the others are not counted; compacting finds them, since it looks at every exchange.
    static func debt(in db: Database) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM connection WHERE id < coalesce(
                    (SELECT min(client, coalesce(upstream, client)) FROM exchange ORDER BY id LIMIT 1),
                    (SELECT max(id) + 1 FROM connection)
                )
                """
        ) ?? 0
    }

    /// Takes note of exchanges that were deleted.
    func note(_ deleted: Int) { debt.withLock { $0 += deleted } }

    /// Looks for the connections of what was noted where it is worth it now.
    ///
    /// A deletion beside a running sweep does not wait for it: the sweep then looks once more for all of them.
    ///
    /// - Parameters:
    ///   - total: how many exchanges there are.
    ///   - least: how many must have been deleted since it was done last; 1 or more.
    ///   - look: looks for them, and takes them away.
    /// - Throws: what `look` throws; it is still due then.
    func settle(of total: Int, atLeast least: Int, _ look: () throws -> Void) throws {
        while isDue(of: total, atLeast: least) {
            guard try turn.withLockIfAvailable({ _ in try settleNow(look) }) != nil else { return }
        }
    }

    /// Looks for them however few there may be, after any sweep that is running.
    ///
    /// - Throws: what `look` throws; it is still due then.
    func run(_ look: () throws -> Void) throws {
        try turn.withLock { _ in try settleNow(look) }
    }

    private func isDue(of total: Int, atLeast least: Int) -> Bool {
        let debt = debt.withLock { $0 }
        return debt >= max(1, least) && (total <= Self.freeRows || total / Self.rowsPerDeletion <= debt)
    }

    private func settleNow(_ look: () throws -> Void) throws {
        let settled = debt.withLock { $0 }
        try look()
        debt.withLock { $0 -= settled }
    }
}
