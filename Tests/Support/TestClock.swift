import NIOCore
import Synchronization

/// A clock that stands still until a test moves it: a deadline passes when the test says so, however long the machine takes for anything.
package final class TestClock: Sendable {
    private let time = Mutex(NIODeadline.now())

    package init() {}

    /// The time, which is the machine's of when it was made and by how far it was moved since.
    package var now: NIODeadline { time.withLock { $0 } }

    /// Moves it forward.
    package func advance(by time: Duration) {
        self.time.withLock { $0 = $0 + TimeAmount(time) }
    }
}
