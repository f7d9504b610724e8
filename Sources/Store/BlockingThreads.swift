import Foundation

/// Threads for work that blocks, as everything does that asks a store: the few that everything else runs on must not wait for it.
package final class BlockingThreads: TaskExecutor {
    private let queue: DispatchQueue

    /// - Parameters:
    ///   - label: what a debugger shows.
    ///   - attributes: none for one thing at a time, `concurrent` for more.
    package init(_ label: String, _ attributes: DispatchQueue.Attributes = []) {
        queue = DispatchQueue(label: label, attributes: attributes)
    }

    /// Does a piece of a task on one of the threads.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Does some work, which is cancelled where a stream ends before it; its own end is waited for in any case.
    ///
    /// - Parameters:
    ///   - end: ends when the work is not wanted any more; nothing comes from it.
    ///   - work: what is to be done.
    /// - Returns: what the work returns: some of it can no longer be given up.
    /// - Throws: what the work throws; a `CancellationError` where it was given up, unless it makes another error of that.
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
