package import Foundation
package import NIOCore
import Synchronization

/// A clock that stands still until a test moves it: a deadline passes when the test says so, however long the machine takes for anything.
package final class TestClock: Sendable {
    private struct Time {
        /// What the clock showed when it was made, moved or let go last.
        var shown = NIODeadline.now()
        /// When it was let go; `nil` while it stands still.
        var released: NIODeadline?
    }

    private let time = Mutex(Time())
    /// The machine's times of when it was made; the date without a part of a second, so that it is told exactly.
    private let made: (deadline: NIODeadline, date: Date)

    package init() {
        let seconds = Date().timeIntervalSince1970.rounded(.down)
        made = (time.withLock(\.shown), Date(timeIntervalSince1970: seconds))
    }

    /// The time, which is the machine's of when it was made and by how far it was moved since.
    package var now: NIODeadline {
        time.withLock { time in
            time.released.map { time.shown + (.now() - $0) } ?? time.shown
        }
    }

    /// The time of day, which moves as `now` does.
    package var date: Date { made.date + Double((now - made.deadline).nanoseconds) / 1_000_000_000 }

    /// Moves it forward.
    package func advance(by time: Duration) {
        self.time.withLock { $0.shown = $0.shown + TimeAmount(time) }
    }

    /// Lets it go on with the machine's, for what only has to come to its end.
    package func run() {
        time.withLock { $0.released = $0.released ?? .now() }
    }
}
