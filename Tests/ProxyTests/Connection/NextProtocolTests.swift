import Testing

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct NextProtocolTests {
    private static let http1 = [
        "GET / HTTP/1.1\r\n", "OPTIONS * HTTP/1.1\r\n", "M-SEARCH * HTTP/1.1\r\n", "POST http://a/ HTTP/1.1\r\n", "x /",
    ].map { Array($0.utf8) }
    private static let tls: [[UInt8]] = [
        [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC], [0x16, 3, 3, 0, 0x40, 1], [0x16, 3, 0, 0, 1, 1],
    ]
    private static let http2 = ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nabc"].map {
        Array($0.utf8)
    }
    private static let opaque =
        [
            "SSH-2.0-OpenSSH\r\n", "\0\0", "PRI * HTTP/1.1\r\n\r\n", " GET /", "GET  /",
            "GET /".replacing("/", with: "x"),
            "HELO a.test\r\n", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "\r\nGET / HTTP/1.1", "{\"a\": 1}", "\u{e9} /",
        ].map { Array($0.utf8) } + [
            [0x16, 3, 1, 0, 5, 2], [0x16, 2, 1, 0, 5, 1], [0x16, 3, 9, 0, 5, 1], [0x15, 3, 1], [0x80, 0x2E, 1],
        ]

    @Test(
        "The first bytes say what follows",
        arguments: [(http1, NextProtocol.http1), (tls, .tls), (http2, .http2), (opaque, .opaque)]
    )
    func decides(examples: [[UInt8]], expected: NextProtocol) {
        for bytes in examples {
            #expect(NextProtocol(bytes) == expected, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
    }

    @Test("Fewer bytes leave it undecided or say the same", arguments: http1 + tls + http2 + opaque)
    func prefixes(bytes: [UInt8]) {
        let whole = NextProtocol(bytes)
        var hasDecided = false
        for count in 0...bytes.count {
            let part = NextProtocol(bytes.prefix(count))
            #expect(part == whole || (part == .undecided && !hasDecided), "after \(count) bytes")
            hasDecided = hasDecided || part != .undecided
        }
        #expect(NextProtocol([]) == .undecided)
    }
}
