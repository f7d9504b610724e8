import Foundation
import Traffic

/// The right to change a file of a directory: an exclusive `flock` on the directory itself, which a crash gives back.
package struct DirectoryLock {
    private let descriptor: Int32

    /// Waits until the lock is free.
    ///
    /// - Throws: `TrustError.busy` where another process holds it for longer than `deadline`, `TrustError.unusable` with the system's reason.
    package init(_ directory: String, deadline: Duration) throws(TrustError) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(directory) }
        do { try FileLock.take(descriptor, within: deadline) } catch {
            close(descriptor)
            switch error {
            case .held: throw .busy(directory: directory)
            case .refused(let code): throw .unusable(path: directory, reason: String(cString: strerror(code)))
            }
        }
        self.descriptor = descriptor
    }

    /// Gives the lock back.
    package func release() {
        // Closing alone leaves the lock with a child that was just started and has not closed its copy of the directory yet.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
