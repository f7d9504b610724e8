import NIOCore
import NIOEmbedded
import Testing

@testable import Proxy

@Suite("Work on what a peer sends grows with its length, and not with its square", .timeLimit(.minutes(15)))
struct CodecCostTests {
    @Test("A trailer section that comes byte by byte costs linear time")
    func slowTrailers() throws {
        let codec = HTTP1Codec(role: .requests, limits: HeadLimits())
        let channel = EmbeddedChannel(handler: codec)
        try channel.writeInbound(ByteBuffer(string: "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"))
        // 100 KB: scanned anew for each byte this would be five billion steps.
        for _ in 0..<100 {
            for byte in Array("T: \(String(repeating: "x", count: 995))\r\n".utf8) {
                try channel.writeInbound(ByteBuffer(bytes: [byte]))
            }
        }
        try channel.writeInbound(ByteBuffer(string: "\r\n"))
        var trailers: ByteBuffer?
        while let part = try channel.readInbound(as: MessagePart.self) {
            if case .end(let end) = part { trailers = end }
        }
        #expect(trailers?.readableBytes == 100 * 1_000 + 2)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test("A Connection field of many options beside many fields costs their sum")
    func manyOptions() throws {
        let options = (0..<40_000).map { "o\($0)" }.joined(separator: ",")
        let fields = (0..<900).map { "f\($0): x\r\n" }.joined()
        let raw = ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\nConnection: \(options), f7\r\n\(fields)\r\n")
        let head = try HTTP1HeadParser.request(raw, limits: HeadLimits(headBytes: 1 << 20))
        for _ in 0..<20 {
            let sent = String(buffer: HopByHop.request(head, target: nil, host: nil))
            #expect(!sent.contains("f7:") && sent.contains("f8: x") && sent.hasSuffix("f899: x\r\n\r\n"))
        }
    }
}
