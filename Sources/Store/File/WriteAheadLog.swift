import GRDB
import GRDBSQLite
import Synchronization

/// The write-ahead log of a store: decides when the writer, which alone does so, moves it into the file.
final class WriteAheadLog: Sendable {
    /// Bytes after which the log is moved into the file, as far as readers allow: a stall of some 20 ms, most of it waiting for the disk.
    static let checkpointBytes: Int64 = 16 << 20
    /// Bytes past which the writer waits for readers for a short time.
    static let capBytes: Int64 = 256 << 20
    /// Bytes that the log's file keeps when the log begins anew: more than between two checkpoints, since cutting costs more than writing over.
    static let restBytes = 64 << 20
    /// How long the writer waits for readers at the cap, in milliseconds.
    private static let patienceMilliseconds = 100
    /// Bytes of a page: SQLite's own choice, with which the file was made.
    private static let pageBytes: Int64 = 4096

    /// The bytes that were written, and the sizes at which attempts are due.
    struct State {
        /// Bytes from one attempt to the next.
        let checkpointBytes: Int64
        /// Bytes written since the log last began anew.
        private var size: Int64 = 0
        /// The sizes at which the next attempt is due, and the next attempt that waits for readers.
        private var nextAttempt: Int64
        private var nextWait = WriteAheadLog.capBytes

        init(checkpointBytes: Int64 = WriteAheadLog.checkpointBytes) {
            self.checkpointBytes = checkpointBytes
            nextAttempt = checkpointBytes
        }

        /// Takes note of written bytes; returns how the log is to be moved now, `nil` where no attempt is due.
        ///
        /// Past the cap, an attempt that waits may wait in vain for a long reader, so such attempts become rarer as the log grows. An attempt that
        /// does not wait costs next to nothing beside that reader, and moves the whole log once the reader is gone.
        mutating func add(_ bytes: Int64) -> Database.CheckpointMode? {
            size += bytes
            guard size >= nextAttempt else { return nil }
            nextAttempt = size + checkpointBytes
            guard size >= nextWait else { return .passive }
            nextWait = size + size / 4
            return .restart
        }
    }

    private let state: Mutex<State>

    /// - Parameter checkpointBytes: bytes after which the log is moved into the file.
    init(checkpointBytes: Int64 = WriteAheadLog.checkpointBytes) {
        state = Mutex(State(checkpointBytes: checkpointBytes))
    }

    /// Moves the log into the file when it has grown large; called on the writer's queue after a commit.
    ///
    /// A failure leaves the log as it is; the next attempt comes when the log has grown on. Nothing is lost by waiting.
    func checkpointIfLarge(_ db: Database) {
        let written = Int64(pagesWritten(db)) * WriteAheadLog.pageBytes
        guard let kind = state.withLock({ $0.add(written) }) else { return }
        guard kind == .restart else { return checkpoint(kind, db) }
        try? db.execute(sql: "PRAGMA busy_timeout = \(WriteAheadLog.patienceMilliseconds)")
        checkpoint(kind, db)
        try? db.execute(sql: "PRAGMA busy_timeout = \(TrafficStore.busyMilliseconds)")
    }

    /// Moves the whole log into the file and empties it; leaves it as it is where a reader holds on to it.
    func truncate(_ db: Database) {
        checkpoint(.truncate, db)
    }

    private func checkpoint(_ kind: Database.CheckpointMode, _ db: Database) {
        guard let (inLog, moved) = try? db.checkpoint(kind), inLog == moved else { return }
        // The whole log is in the file: the next commit begins it anew.
        state.withLock { $0 = State(checkpointBytes: $0.checkpointBytes) }
    }

    /// Pages that this connection wrote to the log since the last call.
    private func pagesWritten(_ db: Database) -> Int32 {
        var pages: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 1)
        return pages
    }
}
