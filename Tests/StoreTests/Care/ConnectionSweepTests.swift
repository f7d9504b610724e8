import Dispatch
import Synchronization
import Testing

@testable import Store

@Suite("When connections that nobody has are looked for", .timeLimit(.minutes(15)))
struct ConnectionSweepTests {
    @Test("Who deletes while another looks waits for nothing, and one more look is for all of them")
    func beside() throws {
        let sweep = ConnectionSweep()
        let others = Mutex(0)
        var looks = 0
        sweep.note(1)
        try sweep.settle(of: 100, atLeast: 1) {
            looks += 1
            guard looks == 1 else { return }
            let group = DispatchGroup()
            for _ in 0..<3 {
                DispatchQueue.global().async(group: group) {
                    sweep.note(1)
                    try? sweep.settle(of: 100, atLeast: 1) { others.withLock { $0 += 1 } }
                }
            }
            #expect(group.wait(timeout: .now() + .seconds(60)) == .success)
        }
        #expect(looks == 2 && others.withLock { $0 } == 0)
    }

    @Test("In a large store it waits until it is worth it, and what was owed before counts")
    func due() throws {
        var looks = 0
        let sweep = ConnectionSweep(debt: 900)
        for (deleted, least, expected) in [(50, 1, 0), (50, 2_000, 0), (1, 1, 1), (1, 1, 1)] {
            sweep.note(deleted)
            try sweep.settle(of: 16_000, atLeast: least) { looks += 1 }
            #expect(looks == expected)
        }
    }

    @Test("What fails is still due")
    func failing() throws {
        let sweep = ConnectionSweep()
        sweep.note(1)
        #expect(throws: CancellationError.self) { try sweep.settle(of: 1, atLeast: 1) { throw CancellationError() } }
        var looks = 0
        try sweep.settle(of: 1, atLeast: 1) { looks += 1 }
        #expect(looks == 1)
    }
}
