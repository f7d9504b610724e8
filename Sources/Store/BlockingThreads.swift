import Dispatch
import NIOCore
import Synchronization
import Traffic

/// Threads for work that blocks or computes for long, as every question to a store does: the few threads that run everything else must not wait for it.
///
/// They are threads of their own, as many as there is work up to the limit, since the pool of the system lends only as many at once as there are cores
/// to what computes. One that has had nothing to do for some seconds ends.
package final class BlockingThreads: TaskExecutor {
    /// How long a thread waits for more work.
    private static let restTime = DispatchTimeInterval.seconds(5)

    private struct State {
        var jobs: CircularBuffer<UnownedJob> = []
        var threadCount = 0
        /// Threads that wait for work and were not woken yet.
        var idleCount = 0
    }

    private let limit: Int
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameter limit: the threads at most: 1 for one thing at a time, in its order.
    package init(limit: Int = 1) { self.limit = limit }

    /// Does a piece of a task on one of the threads.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (wakes, starts) = state.withLock { state -> (Bool, Bool) in
            state.jobs.append(job)
            guard state.idleCount == 0 else {
                state.idleCount -= 1
                return (true, false)
            }
            guard state.threadCount < limit else { return (false, false) }
            state.threadCount += 1
            return (false, true)
        }
        if wakes { wake.signal() }
        // Where the system has no thread to give, its pool does it.
        if starts, !DetachedThread.start({ self.work() }) { DispatchQueue.global().async { self.work() } }
    }

    /// Does what there is to do until there has been nothing for some time.
    private func work() {
        repeat {
            while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
        } while rests()
    }

    /// The next piece of work; where there is none the thread counts as one that waits.
    private func next() -> UnownedJob? {
        state.withLock { state in
            if let job = state.jobs.popFirst() { return job }
            state.idleCount += 1
            return nil
        }
    }

    /// Waits for work; returns false where none came, and the thread is to end.
    private func rests() -> Bool {
        guard wake.wait(timeout: .now() + Self.restTime) == .timedOut else { return true }
        let ends = state.withLock { state in
            guard state.idleCount > 0 else { return false }
            state.idleCount -= 1
            state.threadCount -= 1
            return true
        }
        // Somebody has just been counted as woken: the signal is on its way.
        if !ends { wake.wait() }
        return !ends
    }

    /// Does some work, and cancels it where a stream ends first; waits for the end of the work in any case.
    ///
    /// - Parameters:
    ///   - end: a stream without elements that ends when the work is not wanted any more.
    ///   - work: what is to be done.
    /// - Returns: what the work returns, also where it was cancelled too late to be given up.
    /// - Throws: what the work throws, which is a `CancellationError` where it was given up, unless the work throws another error then.
    package func run<Value: Sendable>(
        until end: AsyncStream<Void>,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask(executorPreference: self) { try await work() }
            group.addTask {
                for await _ in end {}
                return nil
            }
            // Of the two that end, the one with a value is the work.
            for _ in 0..<2 {
                if let ended = try await group.next(), let value = ended {
                    group.cancelAll()
                    return value
                }
                group.cancelAll()
            }
            throw CancellationError()
        }
    }
}
