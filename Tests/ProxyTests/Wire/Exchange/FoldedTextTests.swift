import Support
import Testing
import Traffic

/// Text that Unicode folds to a word of HTTP, and that is another word on the wire: U+212A is a k to it, U+017F an s.
@Suite(.timeLimit(.minutes(15)))
struct FoldedTextTests {
    private static let answering = RawRequest.answering { _ in
        Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
    }

    @Test("What only looks like a framing or a host is refused, and nothing of it goes upstream")
    func refused() async throws {
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        let host = "127.0.0.1:\(origin.port)"
        try await RunningProxy.run { proxy in
            for (number, (fields, code)) in [
                ("Host: \(host)\r\nTransfer-Encoding: chun\u{212A}ed", 501),
                ("Host: \(host)\r\nTransfer-Encoding: CHUN\u{212A}ED", 501),
                ("Host: \(host)\r\nTran\u{17F}fer-Encoding: chunked", 400),
                ("Host: \(host)\r\nExpect: 100-continu\u{E9}", 417), ("Ho\u{17F}t: \(host)", 400),
                ("Host: \u{212A}.test", 400),
            ].enumerated() {
                let client = try await proxy.connect()
                try await client.send("POST http://\(host)/ HTTP/1.1\r\n\(fields)\r\n\r\n0\r\n\r\n")
                #expect(try await client.response().code == code, "\(fields)")
                #expect(try await proxy.sink.ended(number + 1).last?.exchange.outcome == .failed)
            }
            #expect(origin.connections.isEmpty)
        }
    }

    @Test("What only looks like a field's name or a protocol names none")
    func meansNothing() async throws {
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        let host = "127.0.0.1:\(origin.port)"
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            for fields in [
                "Connection: X-To\u{212A}en\r\nX-Token: 1",
                "Connection: Upgrade\r\nUpgrade: websoc\u{212A}et\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            ] {
                try await client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n\r\n")
                #expect(try await client.response().code == 200, "\(fields)")
            }
            let seen = origin.connections.map(\.receivedText).joined()
            #expect(seen.contains("\r\nX-Token: 1\r\n") && !seen.contains("pgrade"), "\(seen)")
        }
    }

    @Test("An upstream whose framing only looks like one is not believed")
    func upstream() async throws {
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in
                Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chun\u{212A}ed\r\n\r\n0\r\n\r\n".utf8)
            }
        )
        let host = "127.0.0.1:\(origin.port)"
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(try await client.response().code == 502)
            #expect(try await proxy.record().failure == "upstream wait ambiguous-framing")
        }
    }
}
