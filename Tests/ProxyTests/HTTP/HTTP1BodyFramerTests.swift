import NIOCore
import Testing

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct HTTP1BodyFramerTests {
    @Test("What follows a body is left alone", arguments: [BodyFraming.length(4), .chunked, .none])
    func leavesTheRest(framing: BodyFraming) throws {
        let body = framing == .chunked ? "4\r\nbody\r\n0\r\n\r\n" : framing == .none ? "" : "body"
        var buffer = ByteBuffer(string: body + "GET / HTTP/1.1")
        var framer = HTTP1BodyFramer(framing, limits: HeadLimits())
        var content = ""
        reading: while true {
            switch try framer.next(&buffer) {
            case .body(let bytes): content += String(buffer: bytes)
            case .end(let trailers):
                #expect(trailers == nil)
                break reading
            case .more:
                Issue.record("it wants more")
                break reading
            }
        }
        #expect(content == (framing == .none ? "" : "body"))
        #expect(String(buffer: buffer) == "GET / HTTP/1.1")
    }

    @Test("Small chunks that come together are handed on together, and what is wrong behind them after them")
    func joinsChunks() throws {
        for (end, isWhole) in [("0\r\nX: y\r\n\r\n", true), ("zz\r\n", false), ("1\r\nxyz", false)] {
            let chunks = (0..<1_000).map { "2;e\r\n\($0 % 90 + 10)\r\n" }.joined()
            var buffer = ByteBuffer(string: chunks + end)
            var framer = HTTP1BodyFramer(.chunked, limits: HeadLimits())
            var pieces: [ByteBuffer] = []
            var problem: MessageProblem?
            var trailers: ByteBuffer?
            reading: while true {
                do throws(MessageProblem) {
                    switch try framer.next(&buffer) {
                    case .body(let bytes): pieces.append(bytes)
                    case .end(let section):
                        trailers = section
                        break reading
                    case .more: break reading
                    }
                } catch {
                    problem = error
                    break reading
                }
            }
            let content = pieces.map { String(buffer: $0) }.joined()
            let expected = (0..<1_000).map { "\($0 % 90 + 10)" }.joined()
            #expect(content == expected + (end.hasPrefix("1") ? "x" : "") && pieces.count == 1)
            #expect((problem == nil) == isWhole && (trailers != nil) == isWhole)
        }
        // What is large is not copied.
        var large = ByteBuffer(string: "10000\r\n" + String(repeating: "x", count: 0x10000) + "\r\n")
        var framer = HTTP1BodyFramer(.chunked, limits: HeadLimits())
        guard case .body(let piece) = try framer.next(&large) else {
            Issue.record("it is not handed on")
            return
        }
        #expect(piece.readableBytes == 0x10000 && piece.storageCapacity == large.storageCapacity)
    }

    @Test("Only a body without an end of its own ends with the connection")
    func endsAtClose() {
        for framing in [BodyFraming.none, .length(1), .chunked] {
            #expect(!HTTP1BodyFramer(framing, limits: HeadLimits()).endsAtClose)
        }
        #expect(HTTP1BodyFramer(.untilClose, limits: HeadLimits()).endsAtClose)
    }

    @Test("A length larger than memory is counted, not held")
    func largeLength() throws {
        var framer = HTTP1BodyFramer(.length(999_999_999_999_999_999), limits: HeadLimits())
        var buffer = ByteBuffer(string: "abc")
        guard case .body(let bytes) = try framer.next(&buffer), case .more = try framer.next(&buffer) else {
            Issue.record("it is not read on")
            return
        }
        #expect(bytes.readableBytes == 3)
    }
}
