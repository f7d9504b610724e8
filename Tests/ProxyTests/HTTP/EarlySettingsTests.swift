import NIOCore
import NIOEmbedded
import Testing

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct EarlySettingsTests {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let settings: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0]
    private static let acknowledgement: [UInt8] = [0, 0, 0, 4, 1, 0, 0, 0, 0]
    /// A request without END_STREAM, whose payload looks like an acknowledgement, and content of it.
    private static let head: [UInt8] = [0, 0, 9, 1, 4, 0, 0, 0, 1] + acknowledgement
    private static let content: [UInt8] = [0, 0, 3, 0, 1, 0, 0, 0, 1, 1, 2, 3]

    /// What comes out when the bytes come in pieces of a size.
    private func passed(_ bytes: [UInt8], pieces size: Int) throws -> [UInt8] {
        let channel = EmbeddedChannel(handler: EarlySettings())
        defer { _ = try? channel.finish() }
        var out: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            try channel.writeInbound(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
            while let piece = try channel.readInbound(as: ByteBuffer.self) { out += piece.readableBytesView }
        }
        try channel.close().wait()
        while let piece = try channel.readInbound(as: ByteBuffer.self) { out += piece.readableBytesView }
        return out
    }

    @Test("The client's acknowledgement is moved behind its settings, however the bytes come", arguments: 1...60)
    func moved(size: Int) throws {
        let (preface, settings, acknowledgement) = (Self.preface, Self.settings, Self.acknowledgement)
        let came =
            preface + settings + Self.head + settings + acknowledgement + Self.content + acknowledgement + Self.content
        let expected =
            preface + settings + acknowledgement + Self.head + settings + Self.content + acknowledgement + Self.content
        #expect(try passed(came, pieces: size) == expected)
    }

    @Test(
        "What does not begin as HTTP/2 does passes as it is",
        arguments: [
            Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), preface + head, preface + acknowledgement,
            preface + [255, 255, 255, 4, 0, 0, 0, 0, 0] + content, Array("PRI".utf8), Array("PRI * HTTP/1.1\r\n".utf8),
        ]
    )
    func others(bytes: [UInt8]) throws {
        for size in [1, 7, 100] { #expect(try passed(bytes, pieces: size) == bytes) }
    }
}
