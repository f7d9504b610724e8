import Foundation
import NIOCore
import Synchronization

/// Threads for work that blocks or computes for long, as every question to a store does: the few threads that run everything else must not wait for it.
///
/// They are threads of their own, as many as there is work up to the limit, since the pool of the system lends only as many at once as there are cores
/// to what computes. A few wait for more work; the others end when there is none, and all once nobody has the executor.
package final class BlockingThreads: TaskExecutor {
    /// Threads that wait for more work at most.
    private static let idleLimit = 4

    private struct State {
        /// The work, which keeps its executor until it is done.
        var jobs: CircularBuffer<(job: UnownedJob, executor: BlockingThreads)> = []
        var threadCount = 0
        /// Threads that wait for work and were not woken yet.
        var idleCount = 0
        /// Whether nobody has the executor any more.
        var isOver = false
    }

    /// What the threads have of the executor, which ends without them.
    private final class Queue: Sendable {
        private let limit: Int
        private let state = Mutex(State())
        private let wake = DispatchSemaphore(value: 0)

        init(limit: Int) { self.limit = limit }

        func add(_ job: UnownedJob, of executor: BlockingThreads) {
            let (wakes, starts) = state.withLock { state -> (Bool, Bool) in
                state.jobs.append((job, executor))
                guard state.idleCount == 0 else {
                    state.idleCount -= 1
                    return (true, false)
                }
                guard state.threadCount < limit else { return (false, false) }
                state.threadCount += 1
                return (false, true)
            }
            if wakes { wake.signal() }
            if starts { Thread.detachNewThread { self.work() } }
        }

        /// Has the threads that wait end.
        func end() {
            let count = state.withLock { state in
                state.isOver = true
                defer { state.idleCount = 0 }
                return state.idleCount
            }
            for _ in 0..<count { wake.signal() }
        }

        private func work() {
            while let (job, executor) = next() {
                withExtendedLifetime(executor) { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
            }
        }

        /// The next piece of work, which is waited for; `nil` where there is none, and enough others wait or nobody has the executor.
        private func next() -> (job: UnownedJob, executor: BlockingThreads)? {
            while true {
                let (next, isLeft) = state.withLock { state -> ((job: UnownedJob, executor: BlockingThreads)?, Bool) in
                    if let next = state.jobs.popFirst() { return (next, false) }
                    guard !state.isOver, state.idleCount < BlockingThreads.idleLimit else {
                        state.threadCount -= 1
                        return (nil, true)
                    }
                    state.idleCount += 1
                    return (nil, false)
                }
                if next != nil || isLeft { return next }
                wake.wait()
            }
        }
    }

    private let queue: Queue

    /// - Parameter limit: the threads at most: 1 for one thing at a time, in its order.
    package init(limit: Int = 1) { queue = Queue(limit: limit) }

    deinit { queue.end() }

    /// Does a piece of a task on one of the threads.
    package func enqueue(_ job: consuming ExecutorJob) { queue.add(UnownedJob(job), of: self) }

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
