import Foundation
import Synchronization
import Traffic

/// The right to write to one store: a lock on `<path>.lock` that the system releases when its process ends, however it ends.
///
/// SQLite alone would let a second process write, and Debian 12's SQLite can then corrupt the file (the WAL-reset bug).
final class WriterLock: Sendable {
    /// The locked file's descriptor; `nil` once released.
    private let descriptor: Mutex<Int32?>

    /// How long a process that only looks for the writer may hold the lock; a process that holds it for longer counts as a writer.
    static let lookLimit = Duration.milliseconds(100)

    /// Takes the lock of the store at `path`.
    ///
    /// - Parameters:
    ///   - path: the store's file, links followed.
    ///   - limit: how long another process may hold the lock until it counts as a writer.
    ///   - user: who takes the lock.
    /// - Throws: `StoreError` naming the process that holds it, why the lock file cannot be made, or whose it is.
    init(path: String, within limit: Duration = WriterLock.lookLimit, user: uid_t = geteuid()) throws {
        let lockPath = path + ".lock"
        let file = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else {
            throw StoreError.noLock(path: lockPath, reason: WriterLock.reason(errno))
        }
        if let problem = WriterLock.problem(of: file, user) {
            close(file)
            throw StoreError.untrustedLock(path: lockPath, problem)
        }
        do { try FileLock.take(file, within: limit) } catch {
            let holder = WriterLock.holder(of: file)
            close(file)
            switch error {
            case .held: throw StoreError.beingWritten(path: path, process: holder)
            case .refused(let code): throw StoreError.unlockable(path: lockPath, reason: WriterLock.reason(code))
            }
        }
        let line = Array("\(getpid())\n".utf8)
        ftruncate(file, 0)
        _ = pwrite(file, line, line.count, 0)
        descriptor = Mutex(file)
    }

    /// Why the file is not to be trusted as a lock: any user who may open it may hold it, or write another process's number down.
    private static func problem(of file: Int32, _ user: uid_t) -> FileOwnership.Problem? {
        var status = stat()
        guard fstat(file, &status) == 0 else { return .notAFile }
        return FileOwnership.problem(of: status, others: .mayNothing, user: user)
    }

    deinit { release() }

    /// Lets another process write.
    func release() {
        descriptor.withLock { file in
            guard let open = file else { return }
            ftruncate(open, 0)
            // Closing alone leaves the lock with a child that was just started and has not closed its copy of the file yet.
            flock(open, LOCK_UN)
            close(open)
            file = nil
        }
    }

    /// The process that writes the store at `path` now; `nil` where none does, it wrote no number down, or the lock is not to be trusted.
    static func holder(ofStore path: String, user: uid_t = geteuid()) -> Int32? {
        let file = open(path + ".lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard problem(of: file, user) == nil else { return nil }
        guard flock(file, LOCK_SH | LOCK_NB) != 0 else {
            flock(file, LOCK_UN)
            return nil
        }
        return errno == EWOULDBLOCK ? holder(of: file) : nil
    }

    /// The process number that the lock's holder wrote down.
    private static func holder(of file: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count], as: UTF8.self).prefix { $0.isNumber })
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
