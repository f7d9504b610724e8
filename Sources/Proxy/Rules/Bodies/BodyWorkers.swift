import DequeModule
import NIOConcurrencyHelpers

/// Does what would hold an event loop up: on two threads at most, which end once nothing waits for them.
///
/// As much may wait as rules may keep of bodies.
final class BodyWorkers: Sendable {
    private static let threadLimit = 2

    private struct State {
        var waiting: Deque<@Sendable () -> Void> = []
        var threadCount = 0
        var isStopped = false
    }

    private let state = NIOLockedValueBox(State())

    /// Has some work done on another thread, or at once where the system has no thread to give; once it was stopped, never.
    func run(_ work: @escaping @Sendable () -> Void) {
        let needsThread = state.withLockedValue { state in
            guard !state.isStopped else { return false }
            state.waiting.append(work)
            guard state.threadCount < Self.threadLimit else { return false }
            state.threadCount += 1
            return true
        }
        if needsThread, !DetachedThread.start({ self.work() }) { self.work() }
    }

    private func work() {
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLockedValue { state in
            let next = state.waiting.popFirst()
            if next == nil { state.threadCount -= 1 }
            return next
        }
    }

    /// Begins nothing more.
    ///
    /// - Returns: whether something is still under way.
    func stop() -> Bool {
        state.withLockedValue { state in
            state.isStopped = true
            state.waiting = []
            return state.threadCount > 0
        }
    }
}
