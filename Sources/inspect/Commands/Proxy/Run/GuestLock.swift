import CoreFoundation
import Foundation
import Store
import Traffic

/// The commands that send traffic through the proxy of another command, which ends after them.
///
/// It is a lock on `<store>.guests`. Each guest shares it while its program runs, and the command whose proxy it is takes it alone before the proxy ends.
/// The system lets go of it with its process, however that ends.
final class GuestLock: Sendable {
    /// How often a lock that another holds is asked for again; the system tells nobody without blocking a thread.
    private static let pause = Duration.milliseconds(20)

    private let descriptor: Int32

    /// Opens the lock of a store whose directory exists.
    ///
    /// - Throws: `InputError` when it cannot be opened, or is not ours.
    init(storePath: String) throws {
        let path = TrafficStore.file(named: storePath) + ".guests"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw InputError("cannot make \(path): \(String(cString: strerror(errno))); check the directory")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0,
            FileOwnership.problem(of: status, others: .mayNothing, user: geteuid()) == nil
        else {
            close(descriptor)
            throw InputError("\(path) is not yours; remove it, or name another store with --store")
        }
    }

    deinit { close(descriptor) }

    /// Goes in, as one of many; waits while the proxy ends.
    ///
    /// - Throws: `CancellationError`; `InputError` where the file system has no locks.
    func enter() async throws {
        while try !take(LOCK_SH) { try await Task.sleep(for: GuestLock.pause) }
    }

    /// Goes out.
    func leave() { flock(descriptor, LOCK_UN) }

    /// Waits until all are out, and lets nobody in as long as this lives.
    ///
    /// - Parameters:
    ///   - isAsked: whether to wait no longer.
    ///   - notice: called once where there is somebody to wait for.
    /// - Throws: `CancellationError`; `InputError` where the file system has no locks.
    func shut(unless isAsked: () -> Bool, _ notice: () -> Void) async throws {
        guard try !take(LOCK_EX) else { return }
        notice()
        while try !isAsked() && !take(LOCK_EX) { try await Task.sleep(for: GuestLock.pause) }
    }

    private func take(_ kind: Int32) throws -> Bool {
        if flock(descriptor, kind | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else {
            throw InputError("cannot lock beside the store: \(String(cString: strerror(errno)))")
        }
        return false
    }
}
