import GRDB
import Synchronization

/// The rule for when unused connections and certificates are looked for, and the lock that lets one caller at a time do it.
///
/// A sweep looks at every exchange, so in a large store it waits until enough exchanges were deleted. Two sweeps at a time would delete rows that
/// are in use: SQLite gives the greatest number out again once its row is gone.
final class ConnectionSweep: Sendable {
    /// Exchanges that a sweep may look at for each that was deleted.
    private static let rowsPerDeletion = 16
    /// Exchanges that a sweep may look at however few were deleted.
    private static let freeRows = 10_000

    /// Exchanges that were deleted and whose connections were not looked for.
    private let debt: Mutex<Int>
    private let turn = Mutex(())

    /// - Parameter debt: exchanges whose connections an earlier process left.
    init(debt: Int = 0) { self.debt = Mutex(debt) }

    /// Counts the connections that are older than the oldest exchange: earlier processes left them behind when they deleted exchanges.
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

    /// Looks for the connections of deleted exchanges, where enough exchanges were deleted.
    ///
    /// A deletion beside a running sweep does not wait for the sweep, which then looks once more.
    ///
    /// - Parameters:
    ///   - total: how many exchanges there are.
    ///   - least: how many exchanges must have been deleted since the last sweep; 1 or more.
    ///   - look: looks for unused connections, and deletes them.
    /// - Throws: what `look` throws; it is still due then.
    func settle(of total: Int, atLeast least: Int, _ look: () throws -> Void) throws {
        while isDue(of: total, atLeast: least) {
            guard try turn.withLockIfAvailable({ _ in try settleNow(look) }) != nil else { return }
        }
    }

    /// Sweeps however few exchanges were deleted, after any sweep that is running.
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
