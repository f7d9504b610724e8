import Synchronization

/// One direction of a narrow line, which exchanges on several loops may share.
package final class RateLine: Sendable {
    package let rate: ByteRate
    private let bucket: Mutex<TokenBucket>

    package init(_ rate: ByteRate) {
        self.rate = rate
        bucket = Mutex(TokenBucket(rate))
    }

    /// Gives out the next stretch of the line, as `TokenBucket` does.
    package func take(_ wanted: Int, ready: Int64) -> (count: Int, at: Int64) {
        bucket.withLock { $0.take(wanted, ready: ready) }
    }

    /// Takes back a stretch that was not used.
    package func giveBack(_ count: Int) { bucket.withLock { $0.giveBack(count) } }
}
