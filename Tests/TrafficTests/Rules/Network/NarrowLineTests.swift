import Support
import Testing

@testable import Traffic

/// A narrow line carries its rate and no more, whatever asks for it, by a clock that the test moves.
@Suite("The narrow line of a throttle", .timeLimit(.minutes(15)))
struct NarrowLineTests {
    private static let second: Int64 = 1_000_000_000

    @Test(
        "One and fifty that always have more to send share the rate, to a hundredth",
        arguments: [50, 800, 10_000, 100_000],
        [1, 50]
    )
    func rate(kilobits: Int64, sharers: Int) {
        var bucket = TokenBucket(ByteRate(kilobits: kilobits))
        var ready = Array(repeating: Int64(0), count: sharers)
        var bytes = 0
        // Whoever has waited longest asks first, as on a loop.
        while let next = ready.indices.min(by: { ready[$0] < ready[$1] }), ready[next] < 5 * Self.second {
            let (count, at) = bucket.take(65_536, ready: ready[next])
            #expect(count >= 1 && at >= ready[next] - TokenBucket.quantum)
            ready[next] = max(at, ready[next])
            if at <= 5 * Self.second { bytes += count }
        }
        let expected = Double(kilobits) * 125 * 5
        #expect(abs(Double(bytes) - expected) <= expected * 0.01 + Double(kilobits) * 2.5, "\(bytes) of \(expected)")
    }

    @Test("A line that was idle for an hour gives the credit of one quantum, and not of the hour")
    func idle() {
        var bucket = TokenBucket(ByteRate(kilobits: 800))
        _ = bucket.take(1_000, ready: 0)
        let later = 3_600 * Self.second
        var early = 0
        for _ in 0..<100 {
            let (count, at) = bucket.take(100_000, ready: later)
            if at <= later { early += count }
        }
        #expect(early == 1_000, "10 ms of 800 kbit/s are 1,000 bytes")
    }

    @Test("A piece is what passes in 10 ms, and never nothing")
    func quanta() {
        var line = TokenBucket(ByteRate(kilobits: 800))
        #expect(line.take(65_536, ready: 0).count == 1_000 && line.take(7, ready: 0).count == 7)
        var slowest = TokenBucket(ByteRate(bytesPerSecond: 1))
        #expect(slowest.take(100, ready: 0).count == 1)
        #expect(slowest.take(100, ready: 0).at == 2 * Self.second - TokenBucket.quantum)
    }

    @Test("What is given back is there for the next")
    func giveBack() {
        let line = RateLine(ByteRate(kilobits: 800))
        let first = line.take(1_000, ready: 0)
        let second = line.take(1_000, ready: 0)
        line.giveBack(second.count)
        #expect(line.take(1_000, ready: 0).at == second.at && second.at == first.at + 10_000_000)
    }

    @Test("Exchanges share one line of a rule, or one with their host or their connection, in each direction")
    func sharing() {
        let lines = RateLines()
        let rate = ByteRate(kilobits: 100)
        #expect(lines.line(.response, rate, for: "a") === lines.line(.response, rate, for: "a"))
        #expect(lines.line(.response, rate, for: "a") !== lines.line(.response, rate, for: "b"))
        #expect(lines.line(.response, rate, for: "a") !== lines.line(.request, rate, for: "a"))
        let kept = lines.line(.response, rate, for: "kept")
        for number in 0..<3_000 { _ = lines.line(.response, rate, for: String(number)) }
        #expect(lines.line(.response, rate, for: "kept") === kept, "A line in use is not forgotten")
    }

    @Test("Eight times as many lines in use take hardly more than eight times as long to make")
    func manyLines() {
        func time(_ count: Int) -> Double {
            ThreadTime.least {
                let lines = RateLines()
                let used = (0..<count).map { lines.line(.response, ByteRate(kilobits: 100), for: String($0)) }
                #expect(used.count == count)
            }
        }
        let (few, many) = (time(2_000), time(16_000))
        // Each looked for among all, they would take sixty-four times as long, and more.
        #expect(many < few * 28, "\(few) \(many)")
    }

    @Test(
        "Rates are read in thousands of bits and of bytes",
        arguments: [
            ("800kbit", 100_000), ("1.5mbit", 187_500), ("1gbit/s", 125_000_000), ("100kB/s", 100_000), ("9B/s", 9),
            ("0kbit", nil), ("10", nil), ("-1kbit", nil), ("1e3kbit", nil), ("kbit", nil), ("1..5mbit", nil),
            ("999999gbit", nil),
        ]
    )
    func rates(text: String, bytes: Int64?) {
        #expect(ByteRate(text)?.bytesPerSecond == bytes)
    }
}
