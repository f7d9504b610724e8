import Foundation
import GRDB
import Traffic

extension TrafficStore {
    /// How connections are opened.
    static func configuration(_ access: Access) -> Configuration {
        var configuration = Configuration()
        configuration.label = "inspect.store"
        configuration.readonly = access == .reading
        configuration.busyMode = .timeout(Double(busyMilliseconds) / 1000)
        // Checking each reference would cost the capture path a lookup; the writer alone makes references.
        configuration.foreignKeysEnabled = false
        // A page asks several questions at once, and some look at the whole store: they must leave room for the others.
        configuration.maximumReaderCount = 16
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA mmap_size = 0")
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            // A file may come from a stranger: no function with an effect runs from its schema, and a damaged page is told as such.
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            try db.execute(sql: "PRAGMA cell_size_check = ON")
        }
        return configuration
    }

    /// Whether exchanges wait beside the store at `path` until it takes them over: a process compacts it, or was killed when it did.
    package static func hasSpool(at path: String) -> Bool { Spool.isLeft(beside: StoreFile(path: path).path) }

    /// Checks that an open database is a store of this version, whose schema is ours.
    static func checkVersion(_ db: Database, path: String) throws {
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard application == Schema.applicationID else {
            throw StoreError.foreign(path: path, isDatabase: true)
        }
        guard version <= Schema.version else { throw StoreError.newer(path: path) }
        guard version == Schema.version else { throw StoreError.older(path: path) }
        try StoredTables.check(in: db, path: path, isEarlier: false)
    }

    /// Brings a store of an earlier version up to this version.
    ///
    /// A copy of the store stays beside it for a time. After a crash at any moment the store is as it was, or up to date.
    private static func migrate(_ db: Database, path: String, now: Date) throws {
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard application == Schema.applicationID, (1..<Schema.version).contains(version) else { return }
        // The steps change rows, and a trigger would run with them.
        try StoredTables.check(in: db, path: path, isEarlier: true)
        try StoreBackup(of: path, version: version, now: now).make(from: db)
        try db.inTransaction {
            try Schema.migrate(db, from: version)
            return .commit
        }
    }

    /// Sets up the writing connection and closes the exchanges that a crash left open.
    ///
    /// - Parameters:
    ///   - db: the writing connection.
    ///   - path: the store's, links followed.
    ///   - now: the time by which copies are dated.
    ///   - tell: told of what an earlier process left and the store cannot take over.
    /// - Returns: the greatest id.
    /// - Throws: `StoreError` where the store is of another version, another program changed its schema, or one of its numbers was given out by no
    ///   writer.
    static func prepareWriter(
        _ db: Database,
        path: String,
        now: Date,
        tell: ((RecordingNews) -> Void)? = nil
    ) throws -> ExchangeID {
        if try Int32.fetchOne(db, sql: "PRAGMA user_version") == 0,
            try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
        {
            // A crash while the file was being made took the tables back.
            try db.inTransaction {
                try Schema.create(in: db)
                return .commit
            }
        }
        StoreBackup.removeOld(of: path, now: now)
        if Spool.isLeft(beside: path) {
            // Before anything changes, since its rows are of the store's version, and go on from its rows.
            try StoredTables.check(in: db, path: path, isEarlier: true)
            let aside = try Spool.takeOverLeft(beside: path, into: db, now: now)
            if let aside { tell?(.setAside(path: aside)) }
        }
        try migrate(db, path: path, now: now)
        try checkVersion(db, path: path)
        try WritableNumbers.check(in: db, path: path)
        try settle(db)
        try db.inTransaction {
            for exchange in try BrokenOffExchange.all(in: db) { try exchange.closeAfterCrash(in: db) }
            try SessionRow.endLast(in: db)
            try ArchiveImportRow.breakOffRunning(in: db)
            try WritableNumbers.removeStrayBlocks(in: db)
            return .commit
        }
        return try lastID(in: db)
    }

    /// The greatest id given out; 0 in an empty store.
    ///
    /// An exchange whose row another program deleted may have left a body and messages, which would be in the way of another's, and marks, which would
    /// be taken for that one's.
    static func lastID(in db: Database) throws -> ExchangeID {
        var greatest = try RawStatement(
            """
            SELECT max((SELECT coalesce(max(id), 0) FROM exchange), (SELECT coalesce(max(last), 0) FROM sequence),
                (SELECT coalesce(max(id), 0) FROM body_chunk) >> \(BodyVault.exchangeBits),
                (SELECT coalesce(max(id), 0) FROM message) >> \(MessageRow.numberBits),
                (SELECT coalesce(max(exchange), 0) FROM mark))
            """,
            on: db
        )
        defer { greatest.reset() }
        return try greatest.step() ? greatest.integer() ?? 0 : 0
    }

    /// Sets what GRDB or SQLite would choose otherwise, and reads each setting back: a silent default here loses data or speed.
    private static func settle(_ db: Database) throws {
        // A commit does no fsync: a killed process loses nothing, since the system has the bytes; a power cut may cost the last seconds.
        try db.execute(sql: "PRAGMA synchronous = NORMAL")
        try db.execute(sql: "PRAGMA journal_size_limit = \(WriteAheadLog.restBytes)")
        try db.execute(sql: "PRAGMA cache_size = -8192")
        // Deleted bytes are overwritten where that costs no writing of its own; compacting leaves nothing of the rest.
        try db.execute(sql: "PRAGMA secure_delete = FAST")
        let expected: [(name: String, value: String)] = [
            ("journal_mode", "wal"), ("synchronous", "1"), ("wal_autocheckpoint", "0"),
            ("busy_timeout", "\(busyMilliseconds)"),
            ("foreign_keys", "0"), ("journal_size_limit", "\(WriteAheadLog.restBytes)"), ("trusted_schema", "0"),
            ("cell_size_check", "1"),
        ]
        for (name, value) in expected {
            var row = try RawStatement("PRAGMA \(name)", on: db)
            defer { row.reset() }
            let actual = try row.step() ? row.text() ?? "nothing" : "nothing"
            guard actual == value else { throw StoreError.setting(name, actual: actual, wanted: value) }
        }
    }
}
