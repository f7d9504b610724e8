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
        try sweep.note(1, of: 100, atLeast: 1) {
            looks += 1
            guard looks == 1 else { return }
            let group = DispatchGroup()
            for _ in 0..<3 {
                DispatchQueue.global().async(group: group) {
                    try? sweep.note(1, of: 100, atLeast: 1) { others.withLock { $0 += 1 } }
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
        try sweep.note(50, of: 16_000, atLeast: 1) { looks += 1 }
        #expect(looks == 0)
        try sweep.note(50, of: 16_000, atLeast: 2_000) { looks += 1 }
        #expect(looks == 0)
        try sweep.note(1, of: 16_000, atLeast: 1) { looks += 1 }
        try sweep.note(1, of: 16_000, atLeast: 1) { looks += 1 }
        #expect(looks == 1)
    }

    @Test("What fails is still due")
    func failing() throws {
        let sweep = ConnectionSweep()
        #expect(throws: StoreError.self) { try sweep.note(1, of: 1, atLeast: 1) { throw StoreError("no") } }
        var looks = 0
        try sweep.note(0, of: 1, atLeast: 1) { looks += 1 }
        #expect(looks == 1)
    }
}
