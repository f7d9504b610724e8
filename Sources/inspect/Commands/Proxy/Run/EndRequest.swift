import Foundation
import Synchronization

/// Whether somebody has asked this process to end: it then ends as it would have ended by itself.
///
/// Who asks twice ends it at once. A signal that was ignored before asks for nothing; see `HeardSignals`.
final class EndRequest: Sendable {
    private final class Asked: Sendable {
        let isMade = Mutex(false)
    }

    private let asked = Asked()
    /// Ends when it is asked and the signal does again what it did before, or when nobody listens any more.
    let made: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation
    private let signals: HeardSignals

    /// Listens from now on: no signal that comes after this is lost.
    ///
    /// - Parameter numbers: the signals that ask.
    init(by numbers: [Int32] = [SIGINT, SIGTERM]) {
        let asked = asked
        let (made, tell) = AsyncStream<Void>.makeStream()
        (self.made, self.tell) = (made, tell)
        signals = HeardSignals(numbers) { _, before in
            asked.isMade.withLock { $0 = true }
            before.restore()
            tell.finish()
        }
    }

    deinit { tell.finish() }

    /// Whether it was asked.
    var isMade: Bool { asked.isMade.withLock { $0 } }

    /// Listens no longer: the signals do again what they did.
    func forget() {
        signals.forget()
        tell.finish()
    }
}
