import Foundation

/// The exclusive lock of an open file or folder (`flock`), which the system releases when its process ends, however it ends.
package enum FileLock {
    /// Why a lock was not taken.
    package enum Failure: Error, Equatable {
        /// Another process held it all the time.
        case held
        /// The system refused; `errno` is its number.
        case refused(errno: Int32)
    }

    /// How long a thread sleeps between two attempts.
    private static let pause = Duration.milliseconds(2)

    /// Takes the lock, and waits while another process has it.
    ///
    /// `flock` has no waiting with a deadline, so the calling thread tries again and again; the limit counts its pauses. Only starts and commands wait
    /// here, never an event loop.
    ///
    /// - Parameters:
    ///   - descriptor: the open file, which stays the caller's; the lock goes with its last copy, or by `LOCK_UN`.
    ///   - limit: how long to wait; zero tries once.
    /// - Throws: `Failure`.
    package static func take(_ descriptor: Int32, within limit: Duration) throws(Failure) {
        var left = limit
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            guard code == EWOULDBLOCK || code == EINTR else { throw .refused(errno: code) }
            guard left > .zero else { throw .held }
            usleep(UInt32(pause / .microseconds(1)))
            left -= pause
        }
    }
}
