import Foundation

/// The right to change a file of a directory: an exclusive `flock` on the directory itself, which a crash gives back.
package struct DirectoryLock {
    private let descriptor: Int32

    /// Waits until the lock is free; throws `TrustError.busy` when that takes longer than `deadline`.
    ///
    /// It polls every ten milliseconds and counts the pauses: `flock` has no waiting with a deadline. Only starts and commands wait here.
    package init(_ directory: String, deadline: Duration) throws(TrustError) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(directory) }
        var left = deadline
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let failure = errno
            guard failure == EWOULDBLOCK || failure == EINTR else {
                let error = TrustError.system(directory)
                close(descriptor)
                throw error
            }
            guard left > .zero else {
                close(descriptor)
                throw .busy(directory: directory)
            }
            usleep(10_000)
            left -= .milliseconds(10)
        }
        self.descriptor = descriptor
    }

    /// Gives the lock back.
    package func release() { close(descriptor) }
}
