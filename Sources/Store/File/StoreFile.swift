import Foundation
import GRDB
import Traffic

/// The file of a store before SQLite opens it: found, recognised, made, and closed to other users.
///
/// A store is read whoever it belongs to: what is in it came from strangers anyway, and nothing is believed for standing there. It is written only
/// where it is this user's or root's, and nobody else may write it: what is recorded must stay what it was, and secret.
struct StoreFile {
    /// Where it is, symbolic links followed: what belongs to a store, its lock first of all, is named after this one name.
    let path: String
    /// A link on the way that another user laid there; it is not followed.
    private let foreignLink: String?
    /// Who opens it.
    private let user: uid_t

    /// What its first bytes say it is.
    private enum Kind {
        case missing, empty, store, newerStore, foreignDatabase, foreign
    }

    init(path: String, user: uid_t = geteuid()) {
        self.user = user
        let followed = FollowedPath(path, user: user)
        (self.path, foreignLink) = (followed.path, followed.foreignLink)
    }

    /// Refuses a store that another user's link leads to: it would be one that he chose.
    private func checkLinks() throws {
        guard let foreignLink else { return }
        throw StoreError(
            "\(foreignLink) is a link of another user's, in a folder where anybody may put one; name the file itself with --store"
        )
    }

    /// Checks that a store is there, without touching it.
    ///
    /// - Throws: `StoreError` when it is missing, empty, unreadable, not a store of this version, or reached by another user's link.
    func checkForReading() throws {
        try checkLinks()
        switch try kind() {
        case .missing:
            throw StoreError("there is no store at \(path) yet; run `inspect start` or name another one with --store")
        case .empty:
            throw StoreError("the store \(path) is empty; run `inspect start` or name another one with --store")
        case .store: return
        case .newerStore: throw StoreFile.newer(path)
        case .foreignDatabase, .foreign: throw notAStore(try kind())
        }
    }

    /// Checks what is there and makes the directories above it; an existing file that is not a store is left alone.
    ///
    /// - Throws: `StoreError` as `checkForReading` and `checkOwner`, and when a directory cannot be made.
    func prepareForWriting() throws {
        try checkLinks()
        switch try kind() {
        case .newerStore: throw StoreFile.newer(path)
        case .foreignDatabase, .foreign: throw notAStore(try kind())
        case .empty, .store: try checkOwner()
        case .missing:
            do {
                try FileManager.default.createDirectory(
                    atPath: directory,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
                try checkOwner()
            } catch let error as StoreError {
                throw error
            } catch {
                throw StoreError(
                    "cannot make the directory \(directory); check who owns the one above it, or name another store with --store"
                )
            }
        }
    }

    /// Checks whose the store's files are, and that nobody else may put others in their place.
    ///
    /// SQLite opens them by name, without following links. So this is asked before and after: from when a file of ours is there, a folder that is not
    /// open to all keeps it there.
    ///
    /// - Throws: `StoreError` naming the file or folder, and the remedy.
    func checkOwner() throws {
        var folder = stat()
        if stat(directory, &folder) == 0, FileOwnership.isOpenToAll(folder: folder) {
            let own = directory + "/inspect/" + URL(fileURLWithPath: path).lastPathComponent
            throw StoreError(
                "every user of this machine may replace the files in \(directory); take a folder of your own in it (--store \(own)), or a store on another disk"
            )
        }
        for name in ["", "-wal", "-shm"].map({ path + $0 }) {
            var status = stat()
            guard lstat(name, &status) == 0 else { continue }
            if name == path, status.st_nlink > 1 {
                // Lock and log are named after the file: who writes it by its other name would not see them.
                throw StoreError(
                    "\(name) has a second name (a hard link); remove that one, or name a copy with --store"
                )
            }
            guard let problem = FileOwnership.problem(of: status, others: .mayRead, user: user) else { continue }
            let remedy =
                switch problem {
                case .mode: "run chmod 600 \(ShellWord(name))"
                case .owner: "write to it as that user, or name another store with --store"
                case .notAFile: "remove it, or name another store with --store"
                }
            throw StoreError("\(name) \(problem); \(remedy)")
        }
    }

    /// The folder that it is in.
    private var directory: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

    /// Makes the tables where there are none; the caller holds the writer lock.
    func create() throws {
        let kind = try kind()
        guard kind == .missing || kind == .empty else {
            // The lock was taken after the first look: look again.
            if kind != .store { throw kind == .newerStore ? StoreFile.newer(path) : notAStore(kind) }
            return
        }
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw cannotOpen() }
        close(file)
        // With a rollback journal, so that the first page names the application as soon as there is one.
        let queue = try DatabaseQueue(path: path)
        try queue.inDatabase { db in
            try db.inTransaction(.exclusive) {
                try Schema.create(in: db)
                return .commit
            }
        }
        try queue.close()
    }

    /// Takes every right on the store's files from other users.
    func closeToOthers() {
        for suffix in ["", "-wal", "-shm"] { chmod(path + suffix, 0o600) }
    }

    /// Bytes of the file that hold something; the rest is free and used again.
    @Sendable
    static func usedBytes(in db: Database) throws -> Int64 {
        let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        let free = try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
        return (pages - free) * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }

    /// Bytes of the file that hold nothing.
    static func freeBytes(in db: Database) throws -> Int64 {
        try (Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0) * (Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }

    /// Bytes of a store's file and of its log.
    static func bytes(_ path: String) -> (file: Int64, log: Int64) {
        func size(_ path: String) -> Int64 {
            var status = stat()
            return stat(path, &status) == 0 ? Int64(status.st_size) : 0
        }
        return (size(path), size(path + "-wal"))
    }

    /// The refusal of a store that a later version made.
    static func newer(_ path: String) -> StoreError {
        StoreError("the store \(path) was made by a newer inspect; use that one, or name another store with --store")
    }

    private func notAStore(_ kind: Kind) -> StoreError {
        let what = kind == .foreignDatabase ? "is an SQLite database of another program" : "is not a store"
        return StoreError("\(path) \(what); it was left as it is: name another file with --store")
    }

    private func cannotOpen() -> StoreError {
        StoreError(
            "cannot open \(path): \(String(cString: strerror(errno))); check who owns it and its directory, or name another store with --store"
        )
    }

    /// Reads the header of the file (SQLite's file format, §1.3: the schema's numbers stand at bytes 60 and 68, big-endian).
    private func kind() throws -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return .missing }
            throw cannotOpen()
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError("\(path) is not a file; name a file with --store")
        }
        guard let header = DatabaseHeader.read(path) else { throw cannotOpen() }
        if header.isEmpty { return .empty }
        guard header.count == DatabaseHeader.count, header.starts(with: Array("SQLite format 3".utf8) + [0]) else {
            return .foreign
        }
        func number(at offset: Int) -> Int32 {
            Int32(bitPattern: header[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
        guard number(at: 68) == Schema.applicationID else { return .foreignDatabase }
        return number(at: 60) > Schema.version ? .newerStore : .store
    }
}
