import Support
import Testing

/// Waiting with a deadline.
@Suite(.timeLimit(.minutes(15))) struct WatchedTests {
    @Test("A waiter gets the value that met its condition, not a later one")
    func meets() async throws {
        let (watched, asked) = (Watched(0), Watched(false))
        async let met = watched.wait(for: "three") { value in
            asked.update { $0 = true }
            return value >= 3
        }
        _ = try await asked.wait(for: "the condition to be asked") { $0 }
        for _ in 0..<10 { watched.update { $0 += 1 } }
        #expect(try await met == 3)
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
        #expect(error?.limit == Patience.stretched(.milliseconds(milliseconds)))
    }

    @Test("What stays is let pass, and what does not is named with its first other value")
    func stays() async throws {
        let watched = Watched(0)
        try await watched.stays("nothing", for: .milliseconds(20)) { $0 == 0 }
        watched.update { $0 = 2 }
        let error = await #expect(throws: DidNotStay.self) {
            try await watched.stays("below two", for: .seconds(600)) { $0 < 2 }
        }
        #expect(error?.what == "below two" && error?.value == "2")
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watched.stays("two", for: .seconds(600)) { $0 == 2 } }
            watched.update { $0 = 3 }
            await #expect(throws: DidNotStay.self) { try await group.next() }
        }
    }

    @Test("What settles is seen as it rests, whatever else goes on changing")
    func settles() async throws {
        let watched = Watched((part: 0, noise: 0))
        for _ in 0..<5 { watched.update { $0.part += 1 } }
        let rested = try await withThrowingTaskGroup(of: Int?.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    watched.update { $0.noise += 1 }
                    await Task.yield()
                }
                return nil
            }
            group.addTask { try await watched.settled(\.part, for: .milliseconds(50)).part }
            while let part = try await group.next() {
                if let part {
                    group.cancelAll()
                    return part
                }
            }
            return -1
        }
        #expect(rested == 5)
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
