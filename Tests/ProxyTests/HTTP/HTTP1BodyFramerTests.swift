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
