import Foundation
import GRDB

/// A copy of a store beside it, made before the store is brought up to a later version.
///
/// A copy is as large as the store was, so it is removed by the next copy, or after 30 days.
struct StoreBackup {
    /// How long a copy is kept, in seconds: 30 days.
    private static let keptSeconds: Double = 30 * 86_400

    /// Where the copy will be: the store's path, its version and the time in UTC.
    let path: String
    private let storePath: String
    /// Where the copy is while it is being written; the next copy writes over what a crash left there.
    private var partialPath: String { storePath + ".backup-partial" }

    init(of storePath: String, version: Int32, now: Date) {
        self.storePath = storePath
        path = "\(storePath).v\(version)-\(StoreBackup.format().string(from: now)).backup"
    }

    /// The format of the time in a name.
    private static func format() -> DateFormatter {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
        return format
    }

    /// Removes the copies of a store that are older than 30 days; a copy that cannot be removed stays.
    static func removeOld(of storePath: String, now: Date) {
        for (path, made) in all(of: storePath) where now.timeIntervalSince(made) > keptSeconds { unlink(path) }
    }

    /// The copies beside a store: only files whose names are exactly as this type makes them.
    private static func all(of storePath: String) -> [(path: String, made: Date)] {
        let store = URL(fileURLWithPath: storePath)
        let folder = store.deletingLastPathComponent().path
        let format = format()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            guard name.hasPrefix(store.lastPathComponent + ".v"), name.hasSuffix(".backup") else { return nil }
            let parts = name.dropFirst(store.lastPathComponent.count + 2).dropLast(".backup".count).split(
                separator: "-",
                omittingEmptySubsequences: false
            )
            guard parts.count == 2, let version = Int32(parts[0]), let made = format.date(from: String(parts[1])),
                StoreBackup(of: storePath, version: version, now: made).path == "\(folder)/\(name)"
            else { return nil }
            return (path: "\(folder)/\(name)", made: made)
        }
    }

    /// Copies the database, readable by its owner only, and takes earlier copies away.
    ///
    /// - Throws: `StoreError` when there is no room or the copy cannot be written; then the copy is gone, and the store as it was.
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
            for copy in StoreBackup.all(of: storePath) where copy.path != path { unlink(copy.path) }
        } catch {
            removePartial()
            throw (error as? DatabaseError).map { refusal($0.sentence) } ?? error
        }
    }

    private func refusal(_ reason: String) -> StoreError { .uncopied(path: storePath, reason: reason) }

    private func removePartial() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(partialPath + suffix) }
    }
}
