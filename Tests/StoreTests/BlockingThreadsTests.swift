import Foundation
import Store
import Support
import Synchronization
import Testing

@Suite("Work that blocks", .timeLimit(.minutes(15)))
struct BlockingThreadsTests {
    private struct Refusal: Error {}

    private struct State {
        var isBegun = false
        var isEnded = false
    }

    private let threads = BlockingThreads()
    private let state = Watched(State())

    @Test("Work that is done comes to what it returns or throws")
    func done() async throws {
        let (end, _) = AsyncStream<Void>.makeStream()
        #expect(try await threads.run(until: end) { 7 } == 7)
        let (other, _) = AsyncStream<Void>.makeStream()
        await #expect(throws: Refusal.self) {
            try await threads.run(until: other) { throw Refusal() }
        }
    }

    @Test("Work that is not wanted any more is cancelled, and its end is waited for")
    func givenUp() async throws {
        let (end, tell) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: CancellationError.self) {
                    try await threads.run(until: end) {
                        state.update { $0.isBegun = true }
                        defer { state.update { $0.isEnded = true } }
                        _ = try await state.wait(for: "what never comes", within: .seconds(60)) { _ in false }
                    }
                }
                #expect(state.value.isEnded)
            }
            _ = try await state.wait(for: "the work to begin") { $0.isBegun }
            tell.finish()
            try await group.waitForAll()
        }
    }

    @Test("What is done to its end although nobody wants it is not lost")
    func doneAllTheSame() async throws {
        let (end, tell) = AsyncStream<Void>.makeStream()
        tell.finish()
        let value: Int = try await threads.run(until: end) {
            _ = try? await state.wait(for: "what never comes", within: .seconds(60)) { _ in false }
            return 7
        }
        #expect(value == 7)
    }

    @Test("Work that computes on more threads than there are cores holds nothing else up")
    func computing() async throws {
        let many = BlockingThreads(limit: 64)
        let isDone = Watched(false)
        let ends = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
                group.addTask(executorPreference: many) {
                    var sum = 0.0
                    while !isDone.value, sum < 20_000_000_000 {
                        sum += ThreadTime.of { for _ in 0..<1_000 { _ = isDone.value } }
                    }
                    return isDone.value
                }
            }
            // It has its turn among those that compute.
            group.addTask {
                isDone.update { $0 = true }
                return true
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends.allSatisfy { $0 })
    }

    @Test("One thread does one thing after the other, in their order")
    func inOrder() async {
        let numbers = Watched<[Int]>([])
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask(executorPreference: threads) { numbers.update { $0.append(number) } }
            }
        }
        #expect(numbers.value == Array(0..<200))
    }

    /// Work that begins its end only when three are at it, and gives a fourth time to come.
    private final class Three: Sendable {
        let counts = Mutex((entered: 0, now: 0, most: 0))
        private let isFull = DispatchSemaphore(value: 0)

        func work() {
            let number = counts.withLock { counts in
                counts = (counts.entered + 1, counts.now + 1, max(counts.most, counts.now + 1))
                return counts.entered
            }
            defer { counts.withLock { $0.now -= 1 } }
            if number < 3 { return isFull.wait() }
            guard number == 3 else { return }
            var sum = 0.0
            while sum < 50_000_000 { sum += ThreadTime.of { for _ in 0..<1_000 { _ = counts.withLock { $0.now } } } }
            for _ in 0..<2 { isFull.signal() }
        }
    }

    @Test("More work than threads is all done, on as many threads as are allowed, and on no more")
    func limited() async {
        let (threads, three) = (BlockingThreads(limit: 3), Three())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<30 { group.addTask(executorPreference: threads) { three.work() } }
        }
        #expect(three.counts.withLock { $0 } == (30, 0, 3))
    }

    /// Tells when it is let go of, as a thread does with what it has once it has ended.
    private final class Trace: Sendable {
        let told: Watched<Int>
        init(_ told: Watched<Int>) { self.told = told }
        deinit { told.update { $0 += 1 } }
    }

    /// Has each of two threads keep a trace, neither of which ends its work before the other has.
    private final class Two: Sendable {
        private let isThere = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]

        func work(_ number: Int, _ trace: Trace) {
            Thread.current.threadDictionary["trace"] = trace
            isThere[number].signal()
            isThere[1 - number].wait()
        }
    }

    @Test("Threads that wait for work end once nobody has their executor")
    func ended() async throws {
        let ends = Watched(0)
        do {
            let (threads, two) = (BlockingThreads(limit: 2), Two())
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<2 {
                    group.addTask(executorPreference: threads) { two.work(number, Trace(ends)) }
                }
            }
            let (never, _) = AsyncStream<Void>.makeStream()
            #expect(try await threads.run(until: never) { 7 } == 7)
            #expect(ends.value == 0)
        }
        _ = try await ends.wait(for: "the threads to end") { $0 == 2 }
    }
}
