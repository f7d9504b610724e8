import Foundation

/// The threads on which the store is read: a read blocks, so it must not hold one of those that serve requests.
final class StoreThreads: TaskExecutor {
    private let queue = DispatchQueue(label: "inspect.web.store", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
