import Synchronization
import Traffic

/// The changes that one follower has not taken yet: at most 1,000 exchanges; past that the follower is told to list again.
final class ChangeFeed: Sendable {
    /// Exchanges that wait for a slow follower.
    static let limit = 1000

    private struct State {
        var waiting: [ExchangeSummary] = []
        var isBehind = false
        var isOver = false
        var reader: CheckedContinuation<StoreChange?, Never>?
    }

    private let state = Mutex(State())

    /// Adds changes; called on the writer's queue, never blocks.
    func send(_ summaries: [ExchangeSummary]) {
        resume { state in
            if state.waiting.count + summaries.count > ChangeFeed.limit {
                state.isBehind = true
                state.waiting = []
            } else if !state.isBehind {
                state.waiting += summaries
            }
        }
    }

    /// Tells the follower to list again.
    func resync() {
        resume { state in
            state.isBehind = true
            state.waiting = []
        }
    }

    /// Ends the follower's stream after the changes that wait.
    func finish() {
        resume { $0.isOver = true }
    }

    /// The next change, with all exchanges that wait; `nil` at the end.
    func next() async -> StoreChange? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.reader = continuation }
                resume { _ in }
            }
        } onCancel: {
            finish()
        }
    }

    /// Changes the state and wakes the reader if there is something for it.
    private func resume(_ change: (inout State) -> Void) {
        let woken: (CheckedContinuation<StoreChange?, Never>, StoreChange?)? = state.withLock { state in
            change(&state)
            guard let reader = state.reader else { return nil }
            if state.isBehind {
                state.isBehind = false
                state.reader = nil
                return (reader, .resync)
            }
            if !state.waiting.isEmpty {
                defer { state.waiting = [] }
                state.reader = nil
                return (reader, .changed(state.waiting))
            }
            guard state.isOver else { return nil }
            state.reader = nil
            return (reader, nil)
        }
        woken?.0.resume(returning: woken?.1)
    }
}
