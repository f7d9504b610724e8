import Testing

@testable import Traffic

@Suite("What is taken back of a rule's counts", .timeLimit(.minutes(15)))
struct RuleCounterTests {
    private static func draw(_ counter: RuleCounter, at now: Int64, atMost limit: Int64? = nil) -> Int64? {
        counter.draw(RuleLimits(), atMost: limit, now: now)
    }

    @Test("The number of a time that was taken back is given once more, and none is given twice at a time")
    func numbers() {
        let counter = RuleCounter(since: 0)
        #expect((0..<3).map { Self.draw(counter, at: $0) } == [1, 2, 3])
        counter.takeBack(2)
        counter.takeBack(1)
        #expect(counter.figures.hits == 1)
        #expect((0..<3).map { Self.draw(counter, at: $0) } == [1, 2, 4])
        counter.takeBack(4)
        counter.takeBack(4)
        #expect(counter.figures.hits == 3)
    }

    @Test("A rule that may apply so often does so as often, whatever was taken back")
    func limit() {
        let counter = RuleCounter(since: 0)
        #expect((0..<3).map { Self.draw(counter, at: $0, atMost: 2) } == [1, 2, nil])
        counter.takeBack(2)
        #expect((0..<2).map { Self.draw(counter, at: $0, atMost: 2) } == [2, nil])
    }

    @Test("A time that was taken back is not the last at which the rule applied")
    func lastHit() {
        let counter = RuleCounter(since: 0)
        _ = Self.draw(counter, at: 5)
        counter.takeBack(1)
        #expect(counter.figures.lastHit == nil)
        for now in [6, 7, 8] as [Int64] { _ = Self.draw(counter, at: now) }
        counter.takeBack(2)
        #expect(counter.figures.lastHit == 8)
        counter.takeBack(3)
        #expect(counter.figures.lastHit == 6)
    }
}
