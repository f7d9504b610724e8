import Foundation
import Store
import Support
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
                    while !isDone.value, sum < 20 { sum += ThreadTime.of { for _ in 0..<1_000 { _ = isDone.value } } }
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
}
