import NIOCore
import Testing

@testable import Proxy
@testable import Traffic

/// In which order, in which pieces and at which moments what waits is handed out.
@Suite("What waits for its place on a narrow line", .timeLimit(.minutes(15)))
struct PacedQueueTests {
    private enum Part: PacedPart {
        case word(String)
        case body(ByteBuffer)

        var content: ByteBuffer? { if case .body(let bytes) = self { bytes } else { nil } }
    }

    private static func body(_ text: String) -> Part { .body(ByteBuffer(string: text)) }

    /// What is handed out until the clock stands at `end`, with its moments.
    private static func passed(_ queue: inout PacedQueue<Part>, from start: Int64 = 0, to end: Int64) -> [String] {
        var (now, out) = (start, [String]())
        while true {
            switch queue.next(now) {
            case .pass(.word(let text)): out.append("\(now) \(text)")
            case .pass(.body(let bytes)): out.append("\(now) \(String(buffer: bytes))")
            case .wait(let until) where until <= end: now = until
            case .wait, .rest: return out
            }
        }
    }

    @Test("Each part passes at its moment, and none before another that came before it")
    func order() {
        var queue = PacedQueue<Part>()
        queue.take(.word("head"), at: 0, latency: 50)
        queue.take(Self.body("text"), at: 10, latency: 0)
        queue.take(.word("end"), at: 70, latency: 5)
        #expect(Self.passed(&queue, to: 49).isEmpty && !queue.isEmpty)
        #expect(Self.passed(&queue, from: 49, to: 100) == ["50 head", "50 text", "75 end"])
        #expect(queue.isEmpty)
    }

    @Test("Content passes in pieces of the line, and what comes behind it waits for the last of them")
    func pieces() {
        var queue = PacedQueue<Part>()
        queue.follow(BodyPace(drip: BodyPace.Drip(bytes: 2, nanoseconds: 10)))
        queue.take(Self.body("abcde"), at: 0, latency: 0)
        queue.take(.word("end"), at: 0, latency: 0)
        #expect(Self.passed(&queue, to: 100) == ["0 ab", "10 cd", "20 e", "20 end"])
    }

    @Test("It is full from 64 KiB on that wait, a piece on the line among them, and no longer once they have passed")
    func full() {
        var queue = PacedQueue<Part>()
        queue.follow(BodyPace(drip: BodyPace.Drip(bytes: 1, nanoseconds: 1_000)))
        queue.take(.body(ByteBuffer(repeating: 120, count: 65_535)), at: 0, latency: 0)
        #expect(!queue.isFull)
        queue.take(Self.body("xy"), at: 0, latency: 0)
        #expect(queue.isFull)
        #expect(Self.passed(&queue, to: 1_000).count == 2)
        #expect(!queue.isFull)
    }

    @Test("The bytes that may wait grow with the rate and with half the round trip, up to 1 MiB")
    func window() {
        var pacing = RulePacing()
        pacing.down = RateLine(ByteRate(bytesPerSecond: 1_000_000))
        #expect(pacing.windowBytes(.response) == 65_536)
        pacing.roundTrip = 600_000
        #expect(pacing.windowBytes(.response) == 65_536 + 300_000 && pacing.windowBytes(.request) == 1 << 20)
        pacing.up = RateLine(ByteRate(bytesPerSecond: 12_500_000_000))
        #expect(pacing.windowBytes(.request) == 1 << 20)
        var queue = PacedQueue<Part>()
        queue.limitBytes = pacing.windowBytes(.response)
        queue.take(.body(ByteBuffer(repeating: 120, count: 365_535)), at: 0, latency: 0)
        #expect(!queue.isFull)
        queue.take(Self.body("x"), at: 0, latency: 0)
        #expect(queue.isFull)
    }

    @Test("What is put back is first; lifted, all passes at once, and what comes later does not wait")
    func lifted() {
        var queue = PacedQueue<Part>()
        queue.take(Self.body("later"), at: 0, latency: 500)
        queue.putBack(.word("again"), at: 0)
        queue.lift()
        queue.take(.word("new"), at: 0, latency: 500)
        #expect(Self.passed(&queue, to: 0) == ["0 again", "0 later", "0 new"])
    }

    @Test("What is forgotten gives its place on the line back")
    func cleared() {
        let line = RateLine(ByteRate(kilobits: 8))
        var queue = PacedQueue<Part>()
        queue.follow(BodyPace(line: line))
        queue.take(Self.body("0123456789"), at: 0, latency: 0)
        #expect(Self.passed(&queue, to: 0) == ["0 0123456789"], "The credit of one quantum")
        queue.take(Self.body("0123456789"), at: 0, latency: 0)
        guard case .wait(until: 10_000_000) = queue.next(0) else {
            Issue.record("It does not wait for its place")
            return
        }
        queue.clear()
        #expect(queue.isEmpty && line.take(10, ready: 0).at == 10_000_000)
    }
}
