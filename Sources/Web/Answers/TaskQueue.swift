import HTTPTypes
import Synchronization

/// Lets so many tasks at a time do work that takes a core or a thread, one unless told; the others wait as tasks, on no thread, and leave the queue when
/// they are cancelled.
final class TaskQueue: Sendable {
    private struct State {
        /// Tasks at work.
        var taken = 0
        var lastNumber = 0
        /// Those that wait, the first come first; each is told whether it is its turn.
        var waiting: [(number: Int, turn: CheckedContinuation<Bool, Never>)] = []
    }

    /// Tasks at work at most.
    private let width: Int
    /// Tasks that wait at most.
    private let limit: Int
    private let state = Mutex(State())

    init(width: Int = 1, limit: Int = 32) { (self.width, self.limit) = (width, limit) }

    /// Tasks that wait for their turn.
    var count: Int { state.withLock { $0.waiting.count } }

    /// Does some work when it is the caller's turn.
    ///
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; `CancellationError` where the caller is cancelled before its turn; `WebFailure` where too many wait already.
    func run<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        guard state.withLock({ $0.taken < width || $0.waiting.count < limit }) else {
            throw WebFailure(.serviceUnavailable, "\(limit) others wait for this already; ask again in a moment.")
        }
        guard await enter() else { throw CancellationError() }
        defer { leave() }
        return try await work()
    }

    /// Waits for the caller's turn; `false` where it is cancelled before.
    private func enter() async -> Bool {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                let isTurn: Bool? = state.withLock { state in
                    // Who is cancelled from here on is found in the queue.
                    if Task.isCancelled { return false }
                    guard state.taken < width else {
                        state.waiting.append((number, turn))
                        return nil
                    }
                    state.taken += 1
                    return true
                }
                if let isTurn { turn.resume(returning: isTurn) }
            }
        } onCancel: {
            let turn = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).turn }
            }
            turn?.resume(returning: false)
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().turn }
            state.taken -= 1
            return nil
        }
        next?.resume(returning: true)
    }
}
