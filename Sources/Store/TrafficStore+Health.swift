import Foundation
import GRDB
import Traffic

extension TrafficStore {
    /// The number of the process that writes the store at `path` now; `nil` where none does.
    package static func writingProcess(at path: String) -> Int32? {
        WriterLock.holder(ofStore: StoreFile(path: path).path)
    }

    /// What compacting did.
    package struct CompactResult: Sendable, Equatable {
        /// Bytes of the file with its log.
        package var before: Int64
        package var after: Int64
        /// Whether the log still holds deleted bytes: a reader kept it from being emptied.
        package var isLogHeld: Bool

        package init(before: Int64, after: Int64, isLogHeld: Bool) {
            (self.before, self.after, self.isLogHeld) = (before, after, isLogHeld)
        }
    }

    /// Attempts at emptying the log behind a copy, each as long as SQLite waits for readers: a minute in all.
    private static let patience = 12

    /// Writes the file anew without its free pages, so that nothing deleted is left in it; recording goes on in a spool meanwhile.
    ///
    /// What is recorded meanwhile is read from the store once this returns. Where there is no room for a spool, recording waits.
    ///
    /// - Throws: `StoreError`, on a full disk too; `CancellationError` where the task is cancelled before the copy is whole.
    ///   The store is then as it was.
    package func compact() throws -> CompactResult {
        let before = StoreFile.bytes(path)
        try sweepConnections()
        let after: (file: Int64, log: Int64)? = try edit {
            guard let writer else { throw readOnly }
            try writer.edit { db, _ in try FreshSearchGroup.removeStray(in: db) }
            return try writer.aside(beside: path, now: clock.date) { db in
                wal.truncate(db)
                // A copy that was given up, or had no room, is in the log too.
                defer { wal.truncate(db) }
                // Few instructions each: a row may be a piece of a body.
                do { try db.cancellable(every: 100) { try db.execute(sql: "VACUUM") } } catch is CancellationError {
                    return nil
                }
                // A reader that began before the copy keeps the log; recording goes on, so it is waited for.
                for _ in 1...TrafficStore.patience where StoreFile.bytes(path).log > 0 && !Task.isCancelled {
                    wal.truncate(db)
                }
                return StoreFile.bytes(path)
            }
        }
        guard let after else { throw CancellationError() }
        return CompactResult(
            before: before.file + before.log,
            after: after.file + after.log,
            isLogHeld: after.log > 0
        )
    }

    /// How the store is.
    ///
    /// - Parameter isChecked: whether to look through all of it for damage, which takes some seconds a gigabyte.
    /// - Returns: what is known.
    /// - Throws: `StoreError` when it cannot be read at all; `CancellationError`.
    package func report(isChecked: Bool) throws -> StoreReport {
        let listing = try list(ListingQuery(limit: 1))
        let outcomes = listing.facets.first { $0.facet == .outcome }?.values ?? []
        let sizes = StoreFile.bytes(path)
        var report = try read { db in
            StoreReport(
                path: path,
                version: Int(Schema.version),
                bytes: sizes.file,
                logBytes: sizes.log,
                freeBytes: try StoreFile.freeBytes(in: db),
                total: listing.total,
                outcomes: outcomes.filter { $0.count > 0 },
                blocks: try FacetBlockRow.readAll(in: db).count,
                indexed: try FacetBlockRow.readAll(in: db).reduce(0) { $0 + $1.count },
                oldest: try TrafficStore.started(.oldest, in: db),
                newest: try TrafficStore.started(.newest, in: db)
            )
        }
        report.gaps = try gaps()
        report.sessions = try sessions()
        if isChecked { report.check = try check() }
        return report
    }

    /// Looks through the whole store for damage; see `StoreCheck` for what is read in one snapshot.
    ///
    /// - Returns: what was found.
    /// - Throws: `StoreError` when it cannot be read at all; `CancellationError` when the task that asks is cancelled.
    package func check() throws -> StoreCheck {
        do {
            return try StoreCheck(in: pool)
        } catch let error as DatabaseError {
            let refusal = StoreError(error, reading: path)
            guard refusal.isDamage else { throw refusal }
            return StoreCheck(problems: [error.sentence])
        }
    }

    private enum End: String {
        case oldest = "ASC"
        case newest = "DESC"
    }

    private static func started(_ end: End, in db: Database) throws -> Int64? {
        var row = try RawStatement("SELECT started FROM exchange ORDER BY id \(end.rawValue) LIMIT 1", on: db)
        defer { row.reset() }
        return try row.step() ? row.integer(StoredNumber.moments) : nil
    }
}
