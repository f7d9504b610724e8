import Foundation
import GRDB
import Synchronization

/// The write-ahead log of a store and its size: the writer alone moves it into the file.
final class WriteAheadLog: Sendable {
    /// At this size it is moved into the file, as far as readers allow.
    static let checkpointBytes: Int64 = 32 << 20
    /// Past this size readers are waited for, shortly.
    static let capBytes: Int64 = 256 << 20
    /// What it keeps of its length once it begins anew.
    static let restBytes = 1 << 20
    /// How long readers are waited for at the cap, in milliseconds.
    private static let patienceMilliseconds = 100

    private let path: String
    /// The size at which the next attempt is due.
    private let nextAttempt = Mutex(WriteAheadLog.checkpointBytes)

    init(storePath: String) { path = storePath + "-wal" }

    /// Bytes of the log's file.
    var size: Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Moves the log into the file when it has grown large; called on the writer's queue after a commit.
    ///
    /// A failure leaves the log as it is, and it is tried again when it has grown on: nothing is lost by waiting.
    func checkpointIfLarge(_ db: Database) {
        let size = size
        let isDue = nextAttempt.withLock { next in
            if size < WriteAheadLog.checkpointBytes { next = WriteAheadLog.checkpointBytes }
            guard size >= next else { return false }
            next = size + WriteAheadLog.checkpointBytes
            return true
        }
        guard isDue else { return }
        if size < WriteAheadLog.capBytes {
            _ = try? db.checkpoint(.passive)
        } else {
            try? db.execute(sql: "PRAGMA busy_timeout = \(WriteAheadLog.patienceMilliseconds)")
            _ = try? db.checkpoint(.restart)
            try? db.execute(sql: "PRAGMA busy_timeout = \(TrafficStore.busyMilliseconds)")
        }
    }

    /// Moves the whole log into the file and empties it; left as it is where a reader holds on to it.
    func truncate(_ db: Database) {
        _ = try? db.checkpoint(.truncate)
    }
}
