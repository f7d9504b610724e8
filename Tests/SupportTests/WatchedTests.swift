import Support
import Testing

/// Waiting with a deadline.
@Suite struct WatchedTests {
    @Test("A waiter gets the value that met its condition, not a later one")
    func meets() async throws {
        let watched = Watched(0)
        async let met = watched.wait(for: "three") { $0 >= 3 }
        for _ in 0..<10 { watched.update { $0 += 1 } }
        #expect(try await met >= 3)
        #expect(watched.value == 10)
    }

    @Test("Waiters of one value do not disturb each other")
    func many() async throws {
        let watched = Watched(0)
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for wanted in 1...50 {
                group.addTask { try await watched.wait(for: "\(wanted)") { $0 >= wanted } >= wanted ? 1 : 0 }
            }
            for _ in 0..<50 { watched.update { $0 += 1 } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 50)
    }

    @Test("A deadline passes, even one that has passed already", arguments: [0, 50])
    func deadline(milliseconds: Int) async throws {
        let watched = Watched("as it was")
        let error = await #expect(throws: DeadlinePassed.self) {
            _ = try await watched.wait(for: "a change", within: .milliseconds(milliseconds)) { $0.isEmpty }
        }
        #expect(error?.last == "as it was")
    }

    @Test("A cancelled waiter stops waiting")
    func cancelled() async throws {
        let watched = Watched(false)
        await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await watched.wait(for: "never", within: .seconds(600)) { $0 } }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { _ = try await group.next() }
        }
    }
}
