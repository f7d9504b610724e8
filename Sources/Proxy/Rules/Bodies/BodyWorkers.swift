import DequeModule
import NIOConcurrencyHelpers

/// Does what would hold an event loop up: on two threads at most, which end once nothing waits for them.
///
/// As much may wait as rules may keep of bodies. Whom it is for are served in turn, so that who brings much waits for himself.
final class BodyWorkers: Sendable {
    private static let threadLimit = 2

    private struct State {
        /// What waits, by whom it is for; none of the lists is empty.
        var waiting: [String: Deque<(number: Int, work: @Sendable () -> Void)>] = [:]
        /// Those for whom something waits, in the order of their turns.
        var turns: Deque<String> = []
        var threadCount = 0
        /// The number of the work that came last.
        var number = 0
        var isStopped = false
    }

    private let state = NIOLockedValueBox(State())

    /// Has some work done on another thread, or at once where the system has no thread to give; once it was stopped, never.
    ///
    /// - Parameters:
    ///   - sharer: whom it is for.
    ///   - work: what is done.
    /// - Returns: its number, by which it can be dropped.
    @discardableResult
    func run(for sharer: String, _ work: @escaping @Sendable () -> Void) -> Int {
        let (number, needsThread) = state.withLockedValue { state -> (Int, Bool) in
            state.number += 1
            guard !state.isStopped else { return (state.number, false) }
            if state.waiting[sharer] == nil { state.turns.append(sharer) }
            state.waiting[sharer, default: []].append((state.number, work))
            guard state.threadCount < Self.threadLimit else { return (state.number, false) }
            state.threadCount += 1
            return (state.number, true)
        }
        if needsThread, !DetachedThread.start({ self.work() }) { self.work() }
        return number
    }

    /// Lets go of some work that nobody wants any more, unless it has begun.
    func drop(_ number: Int, for sharer: String) {
        // What it holds is freed outside the lock.
        _ = state.withLockedValue { state -> (@Sendable () -> Void)? in
            guard let place = state.waiting[sharer]?.firstIndex(where: { $0.number == number }) else { return nil }
            let dropped = state.waiting[sharer]?.remove(at: place)
            if state.waiting[sharer]?.isEmpty == true {
                state.waiting[sharer] = nil
                state.turns.removeAll { $0 == sharer }
            }
            return dropped?.work
        }
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
            return next.work
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
