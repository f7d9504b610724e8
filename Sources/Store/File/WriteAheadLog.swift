import GRDB
import GRDBSQLite
import Synchronization

/// The write-ahead log of a store and its size: the writer alone moves it into the file.
final class WriteAheadLog: Sendable {
    /// Bytes after which it is moved into the file, as far as readers allow: a stall of some 20 ms, most of it waiting for the disk.
    static let checkpointBytes: Int64 = 16 << 20
    /// Past this size readers are waited for, shortly.
    static let capBytes: Int64 = 256 << 20
    /// What its file keeps of its length once it begins anew; more than a checkpoint's worth, since cutting it costs more than writing it over.
    static let restBytes = 64 << 20
    /// How long readers are waited for at the cap, in milliseconds.
    private static let patienceMilliseconds = 100
    /// SQLite's own choice, with which the file was made.
    private static let pageBytes: Int64 = 4096

    private struct State {
        /// Bytes written since the log last began anew.
        var size: Int64 = 0
        /// The size at which the next attempt is due.
        var nextAttempt = WriteAheadLog.checkpointBytes
    }

    private let state = Mutex(State())

    /// Moves the log into the file when it has grown large; called on the writer's queue after a commit.
    ///
    /// A failure leaves the log as it is, and it is tried again when it has grown on: nothing is lost by waiting.
    func checkpointIfLarge(_ db: Database) {
        let written = Int64(pagesWritten(db)) * WriteAheadLog.pageBytes
        let size: Int64? = state.withLock { state in
            state.size += written
            guard state.size >= state.nextAttempt else { return nil }
            state.nextAttempt = WriteAheadLog.nextAttempt(after: state.size)
            return state.size
        }
        guard let size else { return }
        if size < WriteAheadLog.capBytes {
            checkpoint(.passive, db)
        } else {
            try? db.execute(sql: "PRAGMA busy_timeout = \(WriteAheadLog.patienceMilliseconds)")
            checkpoint(.restart, db)
            try? db.execute(sql: "PRAGMA busy_timeout = \(TrafficStore.busyMilliseconds)")
        }
    }

    /// The size of the log at which the next attempt is due, after an attempt that left it at `size`.
    ///
    /// Past the cap each attempt may wait in vain for a long reader, so attempts become rarer as the log grows.
    static func nextAttempt(after size: Int64) -> Int64 {
        size + (size < capBytes ? checkpointBytes : size / 4)
    }

    /// Moves the whole log into the file and empties it; left as it is where a reader holds on to it.
    func truncate(_ db: Database) {
        checkpoint(.truncate, db)
    }

    private func checkpoint(_ kind: Database.CheckpointMode, _ db: Database) {
        guard let (inLog, moved) = try? db.checkpoint(kind), inLog == moved else { return }
        // All of it is in the file: the next commit begins the log anew.
        state.withLock { $0 = State() }
    }

    /// Pages that this connection wrote to the log since it was asked last.
    private func pagesWritten(_ db: Database) -> Int32 {
        var pages: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 1)
        return pages
    }
}
