package import Foundation

/// Threads for work that blocks, as every question to a store does: the few threads that run everything else must not wait for it.
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
