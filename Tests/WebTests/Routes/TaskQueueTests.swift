import Synchronization
import Testing

@testable import Web

@Suite("Work that is done one at a time", .timeLimit(.minutes(15)))
struct TaskQueueTests {
    /// Waits until so many tasks wait for their turn.
    private static func wait(for count: Int, in queue: TaskQueue) async {
        while queue.count != count { await Task.yield() }
    }

    @Test("It is done in the order in which it came; who is cancelled leaves the queue")
    func turns() async throws {
        let queue = TaskQueue()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let order = Mutex<[Int]>([])
        let first = Task {
            try await queue.run {
                enter.yield()
                for await _ in gate {}
                order.withLock { $0.append(1) }
            }
        }
        for await _ in entered { break }
        var others: [Task<Void, any Error>] = []
        for number in 2...4 {
            others.append(Task { try await queue.run { order.withLock { $0.append(number) } } })
            await Self.wait(for: number - 1, in: queue)
        }
        others[1].cancel()
        await #expect(throws: CancellationError.self) { try await others[1].value }
        #expect(queue.count == 2 && order.withLock { $0.isEmpty })
        open.finish()
        for task in [first, others[0], others[2]] { try await task.value }
        #expect(order.withLock { $0 } == [1, 2, 4])
    }

    @Test("Work that fails lets the next one in; who is cancelled before is not let in")
    func failures() async throws {
        struct Failure: Error {}
        let queue = TaskQueue()
        await #expect(throws: Failure.self) { try await queue.run { throw Failure() } }
        let cancelled = Task {
            while !Task.isCancelled { await Task.yield() }
            try await queue.run {}
        }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let value = try await queue.run { 7 }
        #expect(value == 7)
    }
}
