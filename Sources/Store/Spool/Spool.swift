import Foundation
import GRDB
import Synchronization
import Traffic

/// The second file of a store, a store of its own beside it: takes what is recorded while the store's own file is being written anew.
///
/// Its numbers go on from those of the store, so a row keeps its number where the store takes it over. Taking over twice comes to the same as once: a
/// process that is killed leaves the file, and who next opens the store to write takes over what is in it, whether or not that was done before.
final class Spool: Sendable {
    /// What the names of its files end in, each behind the store's path.
    static let suffixes = ["", "-wal", "-shm", "-journal"].map { "-spool" + $0 }

    /// Tables whose rows are recorded by numbers that are given out; the last row is copied, so that the numbers go on and a session is known.
    private static let numbered = [("connection", "id"), ("certificate", "id"), ("session", "first")]
    /// The other tables that recording writes, each with its key, but for `open_exchange`.
    private static let recorded = [("body_chunk", "id"), ("body_share", "body"), ("message", "id"), ("exchange", "id")]
    /// What holds for the rows of exchanges that have ended.
    static let hasEnded = "outcome <> '\(Outcome.pending.rawValue)'"
    /// Errors for which a file is put aside; others may be gone the next time.
    private static let damages: [ResultCode] = [
        .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_IOERR, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH,
    ]
    /// Pages of its log after which SQLite moves them into its file: 16 MiB.
    private static let checkpointPages = 4096

    /// Writes to it.
    let queue: DatabaseQueue
    /// The exchanges that ended in it, as a gap without a cause; `nil` for none.
    let ended = Mutex<CaptureGap?>(nil)
    /// Receipts that are given once the store has what they are of.
    let receipts = Mutex<[(tell: @Sendable (CommitReceipt) -> Void, receipt: CommitReceipt)]>([])
    private let storePath: String
    /// The file's device and number, by which it is known again.
    private let identity: (dev_t, ino_t)

    /// Makes the file beside a store whose recording goes on in it.
    ///
    /// - Parameters:
    ///   - storePath: the store's path, links followed.
    ///   - db: the store, outside of a transaction.
    /// - Throws: what the system or SQLite says, on a full disk too; there is no such file then.
    init(beside storePath: String, _ db: Database) throws {
        self.storePath = storePath
        // Never over a file that is there: what is in it may be recorded nowhere else.
        identity = try Spool.make(storePath + "-spool")
        do {
            queue = try DatabaseQueue(
                path: storePath + "-spool",
                configuration: TrafficStore.configuration(.writing)
            )
            try queue.writeWithoutTransaction { spool in
                try spool.execute(sql: "PRAGMA journal_mode = WAL")
                try spool.execute(sql: "PRAGMA synchronous = NORMAL")
                try spool.execute(sql: "PRAGMA wal_autocheckpoint = \(Spool.checkpointPages)")
                try spool.inTransaction {
                    try Schema.create(in: spool)
                    return .commit
                }
            }
            // The files of its log are there by now, and nobody else may have laid them.
            try Spool.checkOwner(beside: storePath)
            try Spool.attached(storePath, to: db) {
                // By this, and by the rows, it is known whose it is.
                let last = try TrafficStore.lastID(in: db)
                if last > 0 {
                    try db.execute(sql: "INSERT INTO spool.sequence (id, last) VALUES (1, ?)", arguments: [last])
                }
                for (table, key) in Spool.numbered {
                    let columns = try Spool.columns(of: table, in: db)
                    try db.execute(
                        sql: """
                            INSERT INTO spool.\(table) (\(columns)) SELECT \(columns) FROM main.\(table)
                            ORDER BY \(key) DESC LIMIT 1
                            """
                    )
                }
            }
        } catch {
            Spool.remove(beside: storePath)
            throw error
        }
    }

    /// Makes an empty file that this user alone may read; its device and number.
    private static func make(_ path: String) throws -> (dev_t, ino_t) {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            throw StoreError.unopenable(path: path, reason: String(cString: strerror(errno)))
        }
        defer { close(file) }
        var status = stat()
        fstat(file, &status)
        return (status.st_dev, status.st_ino)
    }

    /// Checks that each of the files beside a store is this user's alone.
    private static func checkOwner(beside storePath: String) throws {
        for suffix in suffixes {
            var status = stat()
            guard lstat(storePath + suffix, &status) == 0 else { continue }
            if let problem = FileOwnership.problem(of: status, others: .mayNothing) {
                throw StoreError.untrusted(path: storePath + suffix, problem)
            }
        }
    }

    /// Checks that the file is still the one that was made: it is found by its name again.
    private func checkIdentity() throws {
        var status = stat()
        guard lstat(storePath + "-spool", &status) == 0, (status.st_dev, status.st_ino) == identity else {
            throw DatabaseError(message: "its file was moved or replaced meanwhile")
        }
        try Spool.checkOwner(beside: storePath)
    }

    /// Takes its rows over into the store, and removes it.
    ///
    /// - Parameters:
    ///   - db: the store, outside of a transaction.
    ///   - stop: called when the store's lock is held: from then on nothing may be written to the spool until this returns.
    /// - Returns: the exchanges that ended in it, in ascending order.
    /// - Throws: what SQLite says; the store is as it was then, and the spool is still there.
    func takeOver(into db: Database, stop: () -> Void) throws -> [ExchangeID] {
        try checkIdentity()
        let ended = try Spool.attached(storePath, to: db) { try Spool.takeOver(in: db, stop: stop) }
        try? queue.close()
        Spool.remove(beside: storePath)
        return ended
    }

    /// Puts it aside under a name of its own, by which it can be read as a store.
    ///
    /// - Parameters:
    ///   - now: the time by which it is named.
    ///   - tell: told where it will be, before it is there: nobody is to find the one and miss the other.
    /// - Returns: where it is; where it was, if it cannot be found there, or cannot be moved.
    func setAside(now: Date, _ tell: (String) -> Void) -> String {
        // Closing does not do so where the file was moved.
        queue.writeWithoutTransaction { _ = try? $0.checkpoint(.truncate) }
        try? queue.close()
        let isThere = (try? checkIdentity()) != nil
        let aside = Aside(beside: storePath, now: now)
        tell(isThere ? aside.path : storePath + "-spool")
        return isThere ? aside.move() : storePath + "-spool"
    }

    // MARK: what a killed process left

    /// Whether a process left such a file beside a store.
    static func isLeft(beside storePath: String) -> Bool {
        var status = stat()
        return lstat(storePath + "-spool", &status) == 0
    }

    /// Takes over what a killed process left beside a store.
    ///
    /// A file that does not belong to this store, or cannot be read, is put aside: what is in it stays there for people to look at.
    ///
    /// - Parameters:
    ///   - storePath: the store's path, links followed; the caller has checked whose its files are.
    ///   - db: the store, whose schema was checked, outside of a transaction.
    ///   - now: the time by which a file that is put aside is named.
    /// - Returns: the path of a file that was put aside, of which a gap in the store tells; `nil` where none was.
    /// - Throws: what SQLite says of the store itself, such as that the disk is full; the file stays then.
    static func takeOverLeft(beside storePath: String, into db: Database, now: Date) throws -> String? {
        guard isLeft(beside: storePath) else { return nil }
        var span = CaptureGap(
            count: 0,
            from: Moment.microseconds(now),
            to: Moment.microseconds(now),
            cause: CaptureGap.unnamedCause
        )
        do {
            guard let found = try look(beside: storePath) else {
                // Killed before anything was recorded in it.
                remove(beside: storePath)
                return nil
            }
            span = found.gap ?? span
            if try found.version == Int32.fetchOne(db, sql: "PRAGMA user_version"), try isOf(db, storePath) {
                _ = try attached(storePath, to: db) { try takeOver(in: db) {} }
                remove(beside: storePath)
                return nil
            }
            span.cause = "they belong to another store"
        } catch let error as StoreError {
            span.cause = "\(error)"
        } catch let error as DatabaseError where damages.contains(error.resultCode) {
            span.cause = error.sentence
        }
        let aside = Aside(beside: storePath, now: now)
        span.cause += "; they are in \(aside.path)"
        // Before the file has its name: nobody is to find the one and miss the other.
        try span.write(in: db)
        return aside.move()
    }

    /// Checks the file beside a store for itself.
    ///
    /// - Returns: its version, and the exchanges that ended in it as a gap without a cause; `nil` where nothing was recorded in it yet.
    private static func look(beside storePath: String) throws -> (version: Int32?, gap: CaptureGap?)? {
        let path = storePath + "-spool"
        let spool = try DatabaseQueue(path: path, configuration: TrafficStore.configuration(.writing))
        defer { try? spool.close() }
        return try spool.writeWithoutTransaction { spool in
            guard try Int.fetchOne(spool, sql: "SELECT 1 FROM sqlite_master LIMIT 1") != nil else { return nil }
            try StoredTables.check(in: spool, path: path, isEarlier: true)
            let began = try Int.fetchOne(spool, sql: "SELECT 1 FROM sequence UNION SELECT 1 FROM exchange LIMIT 1")
            guard began != nil else { return nil }
            try WritableNumbers.check(in: spool, path: path)
            return (try Int32.fetchOne(spool, sql: "PRAGMA user_version"), try ended(in: spool))
        }
    }

    /// The exchanges that ended in a spool, as a gap without a cause; `nil` for none.
    private static func ended(in spool: Database) throws -> CaptureGap? {
        var row = try RawStatement(
            "SELECT count(*), min(started), max(started + coalesce(duration, 0)), '' FROM exchange WHERE \(hasEnded)",
            on: spool
        )
        defer { row.reset() }
        guard try row.step() else { return nil }
        let gap = CaptureGap.read(&row)
        return gap.count > 0 ? gap : nil
    }

    /// Whether the rows of the file beside a store go on from those of the store.
    ///
    /// Those are there from which its numbers go on, and no other row has a number of its rows.
    private static func isOf(_ db: Database, _ storePath: String) throws -> Bool {
        try attached(storePath, to: db) {
            let base = try Int64.fetchOne(db, sql: "SELECT last FROM spool.sequence") ?? 0
            guard try base <= TrafficStore.lastID(in: db) else { return false }
            for (table, key) in numbered {
                let first = try Int64.fetchOne(db, sql: "SELECT min(\(key)) FROM spool.\(table)")
                let isKnown = try Int.fetchOne(
                    db,
                    sql: "SELECT 1 FROM main.\(table) WHERE \(key) = ?",
                    arguments: [first]
                )
                // In a store without rows the first is the spool's own.
                if let first, first > 1, isKnown == nil { return false }
            }
            // A session may be begun anew where one was begun of which no exchange was recorded.
            return try (numbered.prefix(2) + recorded).allSatisfy { table, key in
                let same = try db.columns(in: table).map { "ours.\($0.name) IS theirs.\($0.name)" }
                // The row of an exchange that was open when the spool was begun is another by now.
                let isOpen = table == "exchange" ? "AND ours.id NOT IN (SELECT id FROM main.open_exchange)" : ""
                return try Int.fetchOne(
                    db,
                    sql: """
                        SELECT 1 FROM spool.\(table) theirs JOIN main.\(table) ours ON ours.\(key) = theirs.\(key)
                        WHERE NOT (\(same.joined(separator: " AND "))) \(isOpen) LIMIT 1
                        """
                ) == nil
            }
        }
    }

    // MARK: both files

    /// Runs statements on a store to which its spool is attached as `spool`.
    private static func attached<Value>(
        _ storePath: String,
        to db: Database,
        _ body: () throws -> Value
    ) throws -> Value {
        try db.execute(sql: "ATTACH DATABASE ? AS spool", arguments: [storePath + "-spool"])
        defer { try? db.execute(sql: "DETACH DATABASE spool") }
        return try body()
    }

    private static func columns(of table: String, in db: Database) throws -> String {
        try db.columns(in: table).map(\.name).joined(separator: ", ")
    }

    /// Copies the rows of the spool that is attached over those of the store, in one transaction; the exchanges that ended in it.
    private static func takeOver(in db: Database, stop: () -> Void) throws -> [ExchangeID] {
        // The store's log is on the disk before the spool is removed, so that a power cut loses neither.
        try db.execute(sql: "PRAGMA main.synchronous = FULL")
        defer { try? db.execute(sql: "PRAGMA main.synchronous = NORMAL") }
        try db.execute(sql: "BEGIN")
        do {
            // Takes the store's lock and leaves the spool's alone, which BEGIN IMMEDIATE would take too.
            try db.execute(sql: "DELETE FROM main.open_exchange WHERE id < 0")
            stop()
            for (table, _) in numbered + recorded {
                let columns = try columns(of: table, in: db)
                try db.execute(
                    sql: "INSERT OR REPLACE INTO main.\(table) (\(columns)) SELECT \(columns) FROM spool.\(table)"
                )
            }
            try removeReplacedBodies(in: db)
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO main.open_exchange (id) SELECT id FROM spool.open_exchange;
                    DELETE FROM main.open_exchange
                    WHERE id IN (SELECT id FROM spool.exchange WHERE \(hasEnded))
                    """
            )
            let ended = try Int64.fetchAll(db, sql: "SELECT id FROM spool.exchange WHERE \(hasEnded) ORDER BY id")
            try db.execute(sql: "COMMIT")
            return ended
        } catch {
            // Some errors have rolled back already.
            if db.isInsideTransaction { try? db.execute(sql: "ROLLBACK") }
            throw error
        }
    }

    /// Deletes the first pieces of bodies in the store that turned out, in the spool, to be equal to others.
    private static func removeReplacedBodies(in db: Database) throws {
        for side in MessageSide.allCases {
            let column = side == .request ? "request_body" : "response_body"
            let ids = try Int64.fetchAll(
                db,
                sql: """
                    SELECT id FROM spool.exchange
                    WHERE \(hasEnded) AND id IN (SELECT id FROM main.open_exchange)
                        AND \(column) IS NOT (id << 1 | \(BodyVault.body(of: 0, side)))
                    """
            )
            for id in ids { try BodyVault.remove(BodyVault.body(of: id, side), in: db) }
        }
    }

    // MARK: its files

    /// Removes the files beside a store, which nobody has open.
    private static func remove(beside storePath: String) {
        for suffix in suffixes { unlink(storePath + suffix) }
    }
}
