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
    private let debt = Mutex(0)
    private let turn = Mutex(())

    /// Takes note of exchanges that were deleted, and tells whether it is worth it now.
    ///
    /// - Parameters:
    ///   - deleted: how many.
    ///   - total: how many exchanges there are.
    ///   - least: how many must have been deleted since it was done last.
    /// - Returns: whether it is.
    func isDue(after deleted: Int, of total: Int, atLeast least: Int) -> Bool {
        debt.withLock { debt in
            debt += deleted
            guard debt >= least else { return false }
            return total <= Self.freeRows || total / Self.rowsPerDeletion <= debt
        }
    }

    /// Looks for them, while nobody else does.
    ///
    /// - Throws: what `look` throws; it is still due then.
    func run(_ look: () throws -> Void) throws {
        try turn.withLock { _ in
            let settled = debt.withLock { $0 }
            try look()
            debt.withLock { $0 -= settled }
        }
    }
}
