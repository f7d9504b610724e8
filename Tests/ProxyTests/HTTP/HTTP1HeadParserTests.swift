import NIOCore
import Testing
import Traffic

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct HTTP1HeadParserTests {
    @Test("Field lines keep their order, case, duplicates and every byte of their values")
    func fields() throws {
        let text =
            "PATCH /%7e?a=+(),&b HTTP/1.1\r\nhOST: a\r\nX-Two:  one \t\r\nx-two:\ttwo\r\nEmpty:\r\nLatin: \u{e9}:x\r\n\r\n"
        // The head lies in the middle of a buffer, as it does behind another message.
        var buffer = ByteBuffer(string: "before" + text)
        buffer.moveReaderIndex(forwardBy: 6)
        let head = try HTTP1HeadParser.request(buffer, limits: HeadLimits())
        #expect(head.method == "PATCH" && head.targetText == "/%7e?a=+(),&b" && head.version == .http11)
        let fields = head.fields.map { "\($0.name)=\($0.value)" }
        #expect(fields == ["hOST=a", "X-Two=one", "x-two=two", "Empty=", "Latin=\u{e9}:x"])
        #expect(head.raw == ByteBuffer(string: text))
    }

    @Test("Bytes that are not UTF-8 stay what they are")
    func bytes() throws {
        let raw = ByteBuffer(
            bytes: Array("GET /".utf8) + [0xFF, 0xC3] + Array(" HTTP/1.1\r\nA: ".utf8) + [0x80, 0xFF]
                + Array("\r\n\r\n".utf8)
        )
        let head = try HTTP1HeadParser.request(raw, limits: HeadLimits())
        #expect(head.raw == raw && head.target.count == 3 && head.fields.spans.first?.value.count == 2)
    }

    @Test(
        "The end of a head is found wherever the bytes were cut",
        arguments: [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nHost: a\r\n\n",
            "a\n\r\n",
        ]
    )
    func endOfHead(text: String) throws {
        let bytes = Array(text.utf8)
        let rest = Array("body\r\n\r\n".utf8)
        (bytes + rest).withUnsafeBytes { all in
            for cut in 0..<bytes.count {
                #expect(HTTP1HeadParser.endOfHead(UnsafeRawBufferPointer(rebasing: all[..<cut]), from: 0) == nil)
                #expect(HTTP1HeadParser.endOfHead(all, from: cut) == bytes.count, "scanned to \(cut)")
            }
        }
    }

    @Test("A response's reason is optional and kept", arguments: ["", " ", " Not at all, \u{e9}", " a  b "])
    func reason(reason: String) throws {
        let raw = ByteBuffer(string: "HTTP/1.1 404\(reason)\r\nContent-Length: 0\r\n\r\n")
        let head = try HTTP1HeadParser.response(raw, to: "GET", limits: HeadLimits())
        #expect(head.code == 404 && head.raw == raw)
    }
}
