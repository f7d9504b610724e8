import Support
import Testing

@testable import Web

@Suite("Work that is done one at a time", .timeLimit(.minutes(15)))
struct TaskQueueTests {
    private struct Failure: Error {}

    /// Waits until so many tasks wait for their turn.
    private static func wait(for count: Int, in queue: TaskQueue) async {
        while queue.count != count { await Task.yield() }
    }

    /// Asks for a turn, and gives it up when the stream ends; whether it came to nothing.
    private static func isGivenUp(_ queue: TaskQueue, at end: AsyncStream<Void>) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do {
                    try await queue.run {}
                    return false
                } catch {
                    return error is CancellationError
                }
            }
            for await _ in end {}
            group.cancelAll()
            return await group.next() == true
        }
    }

    @Test("It is done in the order in which it came; who is cancelled leaves the queue")
    func turns() async throws {
        let queue = TaskQueue()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let (end, giveUp) = AsyncStream<Void>.makeStream()
        let order = Watched<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await queue.run {
                    enter.yield()
                    for await _ in gate {}
                    order.update { $0.append(1) }
                }
            }
            for await _ in entered { break }
            group.addTask { try await queue.run { order.update { $0.append(2) } } }
            await Self.wait(for: 1, in: queue)
            async let isGivenUp = Self.isGivenUp(queue, at: end)
            await Self.wait(for: 2, in: queue)
            group.addTask { try await queue.run { order.update { $0.append(4) } } }
            await Self.wait(for: 3, in: queue)
            giveUp.finish()
            #expect(await isGivenUp)
            #expect(queue.count == 2 && order.value.isEmpty)
            open.finish()
            try await group.waitForAll()
        }
        #expect(order.value == [1, 2, 4])
    }

    @Test("Work that fails lets the next one in; who is cancelled before is not let in")
    func failures() async throws {
        let queue = TaskQueue()
        await #expect(throws: Failure.self) { try await queue.run { throw Failure() } }
        let isRefused = await withTaskGroup(of: Bool.self) { group in
            group.cancelAll()
            group.addTask {
                do {
                    try await queue.run {}
                    return false
                } catch {
                    return error is CancellationError
                }
            }
            return await group.next() == true
        }
        #expect(isRefused)
        let value = try await queue.run { 7 }
        #expect(value == 7)
    }

    @Test("Where two may be at work, two are, and the third waits")
    func width() async throws {
        let queue = TaskQueue(width: 2)
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (entered, enter) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await queue.run {
                    enter.yield()
                    for await _ in gate {}
                }
            }
            for await _ in entered { break }
            try await queue.run {
                group.addTask { try await queue.run {} }
                await Self.wait(for: 1, in: queue)
            }
            open.finish()
            try await group.waitForAll()
        }
        try await queue.run { #expect(queue.count == 0) }
    }

    @Test("Where as many wait as may, one more is refused at once")
    func full() async throws {
        let queue = TaskQueue(limit: 1)
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (entered, enter) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await queue.run {
                    enter.yield()
                    for await _ in gate {}
                }
            }
            for await _ in entered { break }
            group.addTask { try await queue.run {} }
            await Self.wait(for: 1, in: queue)
            await #expect(throws: WebFailure.self) { try await queue.run {} }
            open.finish()
            try await group.waitForAll()
        }
        try await queue.run {}
    }
}
