import NIOCore
import Testing

@testable import Traffic

/// How a body passes, step by step, by a clock that the test moves.
@Suite("The pace of a body", .timeLimit(.minutes(15)))
struct BodyPaceTests {
    private static let ms: Int64 = 1_000_000

    /// Sends a body, and says when each piece passed: milliseconds and bytes.
    private static func pieces(_ bytes: Int, _ pace: BodyPace) -> [[Int64]] {
        var pace = pace
        var (left, now) = (bytes, Int64(0))
        var pieces: [[Int64]] = []
        while left > 0 {
            switch pace.next(left, ready: now) {
            case .wait(let until): now = until
            case .pass(let count, let at):
                now = max(now, at)
                left -= count
                pieces.append([now / ms, Int64(count)])
            }
        }
        return pieces
    }

    @Test("A stall stands at its place, and the rest follows at once")
    func stall() {
        let stall = BodyPace.Stall(place: 100, nanoseconds: 50 * Self.ms)
        #expect(Self.pieces(300, BodyPace(stalls: [stall])) == [[0, 100], [50, 200]])
        #expect(Self.pieces(100, BodyPace(stalls: [stall])) == [[0, 100]], "Nothing comes behind it")
        let first = BodyPace.Stall(place: 0, nanoseconds: 20 * Self.ms)
        #expect(Self.pieces(300, BodyPace(stalls: [stall, first])) == [[20, 100], [70, 200]])
    }

    @Test("A drip is a piece at a time, with the same time between two")
    func drip() {
        let drip = BodyPace.Drip(bytes: 2, nanoseconds: 10 * Self.ms)
        #expect(Self.pieces(5, BodyPace(drip: drip)) == [[0, 2], [10, 2], [20, 1]])
    }

    @Test("While an exchange stalls, the line is there for others")
    func stalledLine() {
        let line = RateLine(ByteRate(kilobits: 800))
        var pace = BodyPace(line: line, stalls: [BodyPace.Stall(place: 0, nanoseconds: 1_000 * Self.ms)])
        #expect(pace.next(1_000, ready: 0) == .wait(until: 1_000 * Self.ms))
        #expect(line.take(1_000, ready: 0).at <= 10 * Self.ms)
    }

    @Test("Between two pieces of a drip the line is there for others")
    func drippingLine() {
        let line = RateLine(ByteRate(kilobits: 800))
        var pace = BodyPace(line: line, drip: BodyPace.Drip(bytes: 2, nanoseconds: 3_000 * Self.ms))
        #expect(pace.next(10, ready: 0) == .pass(count: 2, at: -9_980_000))
        let next = 3_000 * Self.ms
        #expect(pace.next(8, ready: 0) == .wait(until: next))
        #expect(line.take(1_000, ready: 0).at <= 10 * Self.ms)
        #expect(pace.next(8, ready: next) == .pass(count: 2, at: next - 9_980_000))
    }

    @Test("So many of each 16 KiB begin with a wait, the same in every run")
    func random() {
        func waits(_ seed: UInt64) -> Int {
            let stalls = RandomStalls(share: 100_000, microseconds: 200_000, dice: RuleDice(seed: seed))
            var pace = BodyPace(random: stalls)
            var (left, count) = (16_384 * 2_000, 0)
            while left > 0 {
                switch pace.next(left, ready: 0) {
                case .wait(let until):
                    #expect(until == 200 * Self.ms)
                    count += 1
                case .pass(let passed, _): left -= passed
                }
            }
            return count
        }
        #expect((120...280).contains(waits(1)), "About a tenth of 2,000")
        #expect(waits(1) == waits(1) && waits(1) != waits(2))
    }

    @Test("A body breaks off behind its place, and one that ends there is whole")
    func cut() {
        var body = FailingBody([FailingBody.Part(fault: ResponseFault(.cut(at: 5)), rule: "a")])
        var bytes = ByteBuffer(string: "abc")
        #expect(body.take(&bytes) == nil && String(buffer: bytes) == "abc")
        bytes = ByteBuffer(string: "de")
        #expect(body.take(&bytes) == nil && String(buffer: bytes) == "de")
        #expect(!body.parts[0].isDone)
        bytes = ByteBuffer(string: "fgh")
        #expect(body.take(&bytes)?.end == .cut && bytes.readableBytes == 0 && body.parts[0].isDone)
        bytes = ByteBuffer(string: "ijk")
        #expect(body.take(&bytes)?.end == .cut && bytes.readableBytes == 0)
    }

    @Test("One byte is turned over, in whichever piece it comes, unless the body has broken off before it")
    func corrupt() {
        let corrupt = FailingBody.Part(fault: ResponseFault(.corrupt(at: 4)), rule: "a")
        for split in 0...6 {
            var body = FailingBody([corrupt])
            var (first, second) = (ByteBuffer(repeating: 0, count: split), ByteBuffer(repeating: 0, count: 6 - split))
            #expect(body.take(&first) == nil && body.take(&second) == nil)
            #expect(Array(first.readableBytesView) + Array(second.readableBytesView) == [0, 0, 0, 0, 255, 0])
        }
        let reset = FailingBody.Part(fault: ResponseFault(.reset(at: 3)), rule: "b")
        var body = FailingBody([corrupt, reset])
        var bytes = ByteBuffer(repeating: 0, count: 6)
        #expect(body.take(&bytes)?.end == .reset && Array(bytes.readableBytesView) == [0, 0, 0])
        #expect(body.parts.map(\.isDone) == [false, true])
    }

    @Test("A false length stands in the place of the true one, and of chunks; other lines keep their bytes")
    func falseLength() {
        func head(_ text: String) -> String {
            String(buffer: ResponseFault.head(ByteBuffer(string: text), saying: 9))
        }
        #expect(
            head("HTTP/1.1 200 OK\r\nx-a:  1\r\ncontent-length: 2\r\nB: 2\r\n\r\n")
                == "HTTP/1.1 200 OK\r\nx-a:  1\r\ncontent-length: 9\r\nB: 2\r\n\r\n"
        )
        #expect(
            head("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nB: 2\r\n\r\n")
                == "HTTP/1.1 200 OK\r\nB: 2\r\nContent-Length: 9\r\n\r\n"
        )
    }
}
