import Foundation
import GRDB
import Traffic

/// The file of a store before SQLite opens it: finds, recognises and makes the file, and closes it to other users.
///
/// A store is read whoever owns it: its content came from strangers anyway, and nothing in it is trusted. A store is written only where this user or
/// root owns it and nobody else may write it: the record must stay unchanged, and secret.
struct StoreFile {
    /// The path, symbolic links followed: the lock and all other files of a store are named after this one name.
    let path: String
    /// A link on the way that another user laid there, which is not followed.
    private let foreignLink: String?
    /// The user who opens the store.
    private let user: uid_t

    /// What the first bytes say that the file is.
    private enum Kind {
        case missing, empty, store, newerStore, foreignDatabase, foreign
    }

    init(path: String, user: uid_t = geteuid()) {
        self.user = user
        let followed = FollowedPath(path, user: user)
        (self.path, foreignLink) = (followed.path, followed.foreignLink)
    }

    /// Refuses a store that another user's link leads to, since that user would choose the file.
    private func checkLinks() throws {
        guard let foreignLink else { return }
        throw StoreError.foreignLink(foreignLink)
    }

    /// Checks that a store is there, without touching it.
    ///
    /// - Throws: `StoreError` when it is missing, empty, unreadable, not a store of this version, or reached by another user's link.
    func checkForReading() throws {
        try checkLinks()
        let kind = try kind()
        try check(kind)
        if kind == .missing { throw StoreError.missing(path: path) }
        if kind == .empty { throw StoreError.empty(path: path) }
    }

    /// Checks what is there and makes the directories above it; an existing file that is not a store is left alone.
    ///
    /// - Throws: `StoreError` as `checkForReading` and `checkOwner`, and when a directory cannot be made.
    func prepareForWriting() throws {
        try checkLinks()
        let kind = try kind()
        try check(kind)
        if kind == .missing {
            do {
                try FileManager.default.createDirectory(
                    atPath: directory,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
            } catch {
                throw StoreError.noFolder(directory)
            }
        }
        try checkOwner()
    }

    /// Refuses a file that is there and no store of this version.
    private func check(_ kind: Kind) throws {
        switch kind {
        case .missing, .empty, .store: return
        case .newerStore: throw StoreError.newer(path: path)
        case .foreignDatabase, .foreign:
            throw StoreError.foreign(path: path, isDatabase: kind == .foreignDatabase)
        }
    }

    /// Checks whose the store's files are, and that nobody else may put others in their place.
    ///
    /// SQLite opens the files by name, without following links. So they are checked before and after: once a file of ours is there, a folder that is
    /// not open to all keeps it there.
    ///
    /// - Throws: `StoreError` naming the file or folder, and the remedy.
    func checkOwner() throws {
        var folder = stat()
        if stat(directory, &folder) == 0, FileOwnership.isOpenToAll(folder: folder) {
            let own = directory + "/inspect/" + URL(fileURLWithPath: path).lastPathComponent
            throw StoreError.openFolder(directory, own: own)
        }
        for name in (["", "-wal", "-shm"] + Spool.suffixes).map({ path + $0 }) {
            var status = stat()
            guard lstat(name, &status) == 0 else { continue }
            if name == path, status.st_nlink > 1 {
                // Lock and log are named after the file: a program that writes it by its other name would not see them.
                throw StoreError.hardLink(path: name)
            }
            if let problem = FileOwnership.problem(of: status, others: .mayRead, user: user) {
                throw StoreError.untrusted(path: name, problem)
            }
        }
    }

    /// The folder of the file.
    private var directory: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

    /// Makes the tables where there are none; the caller holds the writer lock.
    func create() throws {
        // The lock was taken after the first look, so the file is looked at again.
        let kind = try kind()
        try check(kind)
        guard kind != .store else { return }
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

    /// Bytes of the file's pages in use; free pages are used again.
    @Sendable
    static func usedBytes(in db: Database) throws -> Int64 {
        let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        let free = try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
        return (pages - free) * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }

    /// Bytes of the file's free pages.
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

    private func cannotOpen() -> StoreError { .unopenable(path: path, reason: String(cString: strerror(errno))) }

    /// Reads the header of the file (SQLite's file format, §1.3: the schema's numbers stand at bytes 60 and 68, big-endian).
    private func kind() throws -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return .missing }
            throw cannotOpen()
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError.notAFile(path: path)
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
