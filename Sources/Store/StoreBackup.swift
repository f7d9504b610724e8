import Foundation
import GRDB

/// A copy of a store beside it, made before the store is brought up to a later version.
struct StoreBackup {
    /// Where the copy will be: the store's path, its version and the time in UTC.
    let path: String
    private let storePath: String
    /// Where it grows; a copy that a crash broke off is written over by the next.
    private var partialPath: String { storePath + ".backup-partial" }

    init(of storePath: String, version: Int32, now: Date) {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
        self.storePath = storePath
        path = "\(storePath).v\(version)-\(format.string(from: now)).backup"
    }

    /// Copies the database, readable by its owner only.
    ///
    /// - Throws: `StoreError` when there is no room or it cannot be written; the copy is gone then, and the store as it was.
    func make(from db: Database) throws {
        removePartial()
        do {
            let file = open(partialPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { throw refusal(String(cString: strerror(errno))) }
            defer { close(file) }
            let copy = try DatabaseQueue(path: partialPath)
            try copy.writeWithoutTransaction { try db.backup(to: $0) }
            try copy.close()
            guard fsync(file) == 0, rename(partialPath, path) == 0 else {
                throw refusal(String(cString: strerror(errno)))
            }
        } catch {
            removePartial()
            throw (error as? DatabaseError).map { refusal($0.message ?? "SQLite error \($0.resultCode.rawValue)") }
                ?? error
        }
    }

    private func refusal(_ why: String) -> StoreError {
        StoreError(
            """
            the store \(storePath) was made by an older inspect and cannot be copied before it is brought up to date (\(why)): \
            free some space beside it; nothing was changed
            """
        )
    }

    private func removePartial() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(partialPath + suffix) }
    }
}
