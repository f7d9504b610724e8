import NIOCore
import NIOPosix
import Synchronization

/// A value that many may change and wait for: the one way in which these tests wait, always with a deadline.
///
/// Changes come from event loops and from Foundation's threads, so the value stands under a lock; a waiter's condition is
/// asked under that lock after every change, and must be quick.
package final class Watched<Value: Sendable>: Sendable {
    private struct Waiter {
        let id: UInt64
        let isMet: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value, any Error>
        let timer: Scheduled<Void>
    }

    private struct State {
        var value: Value
        var waiters: [Waiter] = []
        var nextID: UInt64 = 0
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The value now.
    package var value: Value { state.withLock(\.value) }

    /// Changes the value and wakes those whose condition it meets.
    package func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
        let (result, value, woken) = state.withLock { state in
            let result = change(&state.value)
            var woken: [Waiter] = []
            if !state.waiters.isEmpty {
                woken = state.waiters.filter { $0.isMet(state.value) }
                state.waiters.removeAll { waiter in woken.contains { $0.id == waiter.id } }
            }
            return (result, woken.isEmpty ? nil : state.value, woken)
        }
        if let value {
            for waiter in woken {
                waiter.timer.cancel()
                waiter.continuation.resume(returning: value)
            }
        }
        return result
    }

    /// The value as soon as it meets a condition: a wait that is to succeed.
    ///
    /// - Parameters:
    ///   - what: what is waited for, as the end of the sentence "waited 5.0 seconds for …".
    ///   - limit: how long on a quiet machine; `Patience` stretches it.
    ///   - isMet: asked under the lock, now and after every change.
    /// - Returns: the value that met the condition.
    /// - Throws: `DeadlinePassed` with the value at that time; `CancellationError`.
    package func wait(
        for what: String,
        within limit: Duration = .seconds(10),
        until isMet: @escaping @Sendable (Value) -> Bool
    ) async throws -> Value {
        try await wait(for: what, exactly: Patience.stretched(limit), until: isMet)
    }

    /// Waits for nothing to happen: a wait that is to pass, so it takes its whole time on every machine.
    ///
    /// - Parameters:
    ///   - what: what has to stay so, as the middle of the sentence "… did not stay so for 0.5 seconds".
    ///   - time: how long.
    ///   - holds: asked under the lock, now and after every change.
    /// - Returns: the value at the end.
    /// - Throws: `DidNotStay` with the first value that does not hold; `CancellationError`.
    @discardableResult
    package func stays(
        _ what: String,
        for time: Duration,
        while holds: @escaping @Sendable (Value) -> Bool
    ) async throws -> Value {
        do {
            let other = try await wait(for: what, exactly: time) { !holds($0) }
            throw DidNotStay(what: what, time: time, value: String(describing: other))
        } catch is DeadlinePassed {
            return value
        }
    }

    /// Waits until something of the value has not changed for a time: for what goes on until it is held up.
    ///
    /// The time is that of twenty looks, one after the other: where the machine gives the watched side little of its time, the looks are held up
    /// as well, and the rest is as much longer.
    ///
    /// - Parameters:
    ///   - part: what has to rest.
    ///   - time: how long it has to, at least.
    /// - Returns: the value then.
    /// - Throws: `DeadlinePassed` when it still changes after a minute, stretched; `CancellationError`.
    package func settled<Part: Equatable & Sendable>(
        _ part: @escaping @Sendable (Value) -> Part,
        for time: Duration
    ) async throws -> Value {
        let limit = Patience.stretched(.seconds(60))
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            let before = part(value)
            var looks = 0
            while looks < 20, part(value) == before {
                do {
                    _ = try await wait(for: "a change", exactly: time / 20) { part($0) != before }
                } catch is DeadlinePassed {
                    looks += 1
                }
            }
            if looks == 20 { return value }
        }
        throw DeadlinePassed(what: "it to settle", limit: limit, last: String(describing: value))
    }

    /// The value as soon as it meets a condition, within a time that is not stretched.
    func wait(
        for what: String,
        exactly limit: Duration,
        until isMet: @escaping @Sendable (Value) -> Bool
    ) async throws -> Value {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let met = state.withLock { state -> Value? in
                    if isMet(state.value) { return state.value }
                    let timer = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: .init(limit)) {
                        self.fail(id) { DeadlinePassed(what: what, limit: limit, last: String(describing: $0)) }
                    }
                    state.waiters.append(Waiter(id: id, isMet: isMet, continuation: continuation, timer: timer))
                    return nil
                }
                if let met { continuation.resume(returning: met) }
                if Task.isCancelled { fail(id) { _ in CancellationError() } }
            }
        } onCancel: {
            fail(id) { _ in CancellationError() }
        }
    }

    private func fail(_ id: UInt64, with error: (Value) -> any Error) {
        let failed = state.withLock { state -> (Waiter, Value)? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return (state.waiters.remove(at: index), state.value)
        }
        guard let (waiter, value) = failed else { return }
        waiter.timer.cancel()
        waiter.continuation.resume(throwing: error(value))
    }
}

/// What was waited for did not come in time.
package struct DeadlinePassed: Error, CustomStringConvertible {
    package let what: String
    package let limit: Duration
    /// The watched value when the time was up.
    package let last: String

    package var description: String {
        "waited \(limit) for \(what); at the end there was: \(last.prefix(2000))"
    }
}

/// What was to stay as it was changed.
package struct DidNotStay: Error, CustomStringConvertible {
    package let what: String
    package let time: Duration
    /// The first value that did not hold.
    package let value: String

    package var description: String { "\(what) did not stay so for \(time): \(value.prefix(2000))" }
}
