import Testing
import Traffic

@Suite("Time is cut into slots of round lengths", .timeLimit(.minutes(15)))
struct TimeStripTests {
    @Test(
        "A slot is the shortest round length that fits, and begins at a multiple of it",
        arguments: [
            (0, 1, 100, 1, 1), (0, 100_000, 100, 1, 100), (0, 100_001, 100, 2, 51), (999, 100_000, 100, 1, 100),
            (1_999_000, 4_001_000, 3, 2000, 3),
            (0, 3_600_000_000, 60, 60_000, 60), (0, 86_400_000_000 * 3, 3, 86_400_000, 3), (-1500, 500, 10, 1, 3),
            (0, Int64.max / 2, 1000, 86_400_000 << 16, 815),
            // No multiple of any length leaves both in one slot.
            (-5_000, 5_000, 1, 11, 1),
        ] as [(Int64, Int64, Int, Int64, Int)]
    )
    func lengths(_ from: Int64, _ end: Int64, _ slots: Int, _ slotMs: Int64, _ count: Int) throws {
        var strip = TimeStrip(from: from, to: end, slots: slots)
        #expect(strip.slotMs == slotMs && strip.count == count)
        let (begin, after) = (try #require(strip.from), try #require(strip.to))
        #expect(begin <= from && after >= end)
        strip.add(started: from, .failed)
        strip.add(started: end - 1, .pending)
        strip.add(started: begin - 1, .completed)
        for outside in [after, .max, .min] { strip.add(started: outside, .completed) }
        #expect(
            strip[.failed].first == 1 && strip[.pending].reduce(0, +) == 1 && strip[.completed].allSatisfy { $0 == 0 }
        )
    }

    @Test("Where nothing lies between there is no slot")
    func nothing() {
        var strip = TimeStrip(from: 5, to: 5, slots: 10)
        strip.add(started: 5, .completed)
        #expect(strip.count == 0 && strip.from == nil && strip.to == nil && strip[.completed] == [])
    }

    @Test(
        "A code says whose mistake it was, an outcome more than a code",
        arguments: [
            (Outcome.completed, 200, StripKind.completed), (.completed, nil, .completed), (.completed, 399, .completed),
            (.completed, 400, .clientError), (.completed, 499, .clientError), (.completed, 500, .serverError),
            (.completed, 999, .serverError), (.failed, 200, .failed), (.pending, 500, .pending),
            (.tunnelled, nil, .tunnelled), (.cancelled, nil, .cancelled), (.cancelled, 500, .cancelled),
        ] as [(Outcome, Int?, StripKind)]
    )
    func kinds(_ outcome: Outcome, _ code: Int?, _ kind: StripKind) {
        #expect(StripKind(outcome, code: code) == kind)
    }
}
