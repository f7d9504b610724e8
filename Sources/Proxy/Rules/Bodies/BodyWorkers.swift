import DequeModule
import NIOConcurrencyHelpers

/// Does what would hold an event loop up: on two threads at most, which end once nothing waits for them.
///
/// As much may wait as rules may keep of bodies. Whom it is for are served in turn, so that who brings much waits for himself.
final class BodyWorkers: Sendable {
    private static let threadLimit = 2

    private struct State {
        /// What waits, by whom it is for; none of the lists is empty.
        var waiting: [String: Deque<@Sendable () -> Void>] = [:]
        /// Those for whom something waits, in the order of their turns.
        var turns: Deque<String> = []
        var threadCount = 0
        var isStopped = false
    }

    private let state = NIOLockedValueBox(State())

    /// Has some work done on another thread, or at once where the system has no thread to give; once it was stopped, never.
    ///
    /// - Parameters:
    ///   - sharer: whom it is for.
    ///   - work: what is done.
    func run(for sharer: String, _ work: @escaping @Sendable () -> Void) {
        let needsThread = state.withLockedValue { state in
            guard !state.isStopped else { return false }
            if state.waiting[sharer] == nil { state.turns.append(sharer) }
            state.waiting[sharer, default: []].append(work)
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
            guard let sharer = state.turns.popFirst(), let next = state.waiting[sharer]?.popFirst() else {
                state.threadCount -= 1
                return nil
            }
            if state.waiting[sharer]?.isEmpty == true {
                state.waiting[sharer] = nil
            } else {
                state.turns.append(sharer)
            }
            return next
        }
    }

    /// Begins nothing more.
    ///
    /// - Returns: whether something is still under way.
    func stop() -> Bool {
        state.withLockedValue { state in
            state.isStopped = true
            (state.waiting, state.turns) = ([:], [])
            return state.threadCount > 0
        }
    }
}
