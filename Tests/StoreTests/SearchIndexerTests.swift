import Testing
import Traffic

@testable import Store

@Suite("What a search indexer takes on", .timeLimit(.minutes(15)))
struct SearchIndexerTests {
    /// The blocks that work is for; `nil` where there is none, or it is for a group.
    private func blocks(_ work: SearchIndexer.Work?) -> [Int64]? { work.map(\.blocks) }

    @Test("Blocks wait in order, each once, and none of the numbers that nobody has")
    func waiting() {
        var waiting = WaitingBlocks()
        for index in [3, 3, 9, 5, 1, 9, 4_000_000, 5] as [Int64] { waiting.insert(index) }
        #expect(waiting.all == [1, 3, 5, 9, 4_000_000] && waiting.count == 5)
        let two = waiting.take(2)
        #expect(two == [1, 3] && waiting.first == 5)
        waiting.putBack([3, 1])
        #expect(waiting.all == [1, 3, 5, 9, 4_000_000])
        waiting.removeAll(below: 9)
        #expect(waiting.all == [9, 4_000_000])
        let rest = waiting.take(9)
        #expect(rest == [9, 4_000_000] && waiting.first == nil)
    }
}
