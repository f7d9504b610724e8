import Support
import Testing

/// The raw client and the origin, each shown by the other.
@Suite(.timeLimit(.minutes(15))) struct RawClientTests {
    @Test("The bytes of both sides are kept exactly, on the connection that carried them")
    func bytesAreKept() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            unanswered.count < 4 ? nil : .init(consuming: 4, .send([0, 255]), .send([13]))
        }
        let first = try await RawClient.connect(port: origin.port)
        try await first.send([1, 2])
        try await first.send([3, 4, 5])
        #expect(try await first.read(count: 3) == [0, 255, 13])
        let second = try await RawClient.connect(port: origin.port)
        try await second.send("abcdefgh")
        #expect(try await second.read(count: 6) == [0, 255, 13, 0, 255, 13])

        let connections = try await origin.connections("every byte") { $0.count == 2 && $0[1].sentBytes == 6 }
        #expect(connections[0].received == [1, 2, 3, 4, 5])
        #expect(connections[0].sent == [0, 255, 13])
        #expect(connections[1].receivedText == "abcdefgh")
    }

    @Test("A client's half-close reaches the origin, which can still answer")
    func halfClose() async throws {
        let origin = try await LoopbackOrigin.start { _ in .init(consuming: 4, .send([7]), .halfClose) }
        let client = try await RawClient.connect(port: origin.port)
        try await client.send("ping")
        try await client.halfClose()
        #expect(try await client.readToEnd() == [7])
        #expect(client.soFar.error == nil)
        let connections = try await origin.connections("the FIN") { $0.first?.isClientDone == true }
        #expect(connections[0].error == nil)
    }

    @Test("A reset is a reset on the other side, not an end", arguments: [false, true])
    func reset(isSecure: Bool) async throws {
        let authority = try await TestAuthority()
        let tls = try await authority.issue(for: ["localhost"])
        let origin = try await LoopbackOrigin.start(tls: isSecure ? tls : nil) { _ in
            .init(consuming: 4, .send([1]), .reset)
        }
        let client = try await RawClient.connect(port: origin.port)
        if isSecure { try await client.startTLS(name: "localhost", trusting: authority.rootFile) }
        try await client.send("ping")
        _ = try await client.readToEnd()
        #expect(client.soFar.error?.contains("reset") == true, "\(client.soFar)")

        let other = try await LoopbackOrigin.start(tls: isSecure ? tls : nil) { _ in nil }
        let resetting = try await RawClient.connect(port: other.port)
        if isSecure { try await resetting.startTLS(name: "localhost", trusting: authority.rootFile) }
        try await resetting.send("ping")
        _ = try await other.connections("the bytes") { $0.first?.receivedText == "ping" }
        try await resetting.reset()
        let connections = try await other.connections("the end") { $0.first?.isClosed == true }
        #expect(connections[0].error?.contains("reset") == true)
    }

    @Test("A handshake holds only with a root that signed the name asked for")
    func tls() async throws {
        let authority = try await TestAuthority()
        let origin = try await LoopbackOrigin.start(tls: authority.issue(for: ["localhost"])) { bytes in
            .init(consuming: bytes.count, .send(bytes.reversed()))
        }
        let client = try await RawClient.connect(port: origin.port)
        let agreed = try await client.startTLS(name: "localhost", trusting: authority.rootFile)
        #expect(agreed == "http/1.1")
        try await client.send("abc")
        #expect(try await client.read(through: "a") == "cba")
        #expect(origin.connections[0].receivedText == "abc")

        let stranger = try await TestAuthority()
        for (name, root) in [("localhost", stranger.rootFile), ("other.test", authority.rootFile)] {
            let refusing = try await RawClient.connect(port: origin.port)
            await #expect(throws: RawClient.Closed.self, "\(name) with \(root)") {
                try await refusing.startTLS(name: name, trusting: root)
            }
        }
        let numbered = try await LoopbackOrigin.start(tls: authority.issue(for: ["127.0.0.1"])) { _ in nil }
        let byAddress = try await RawClient.connect(port: numbered.port)
        try await byAddress.startTLS(name: "127.0.0.1", trusting: authority.rootFile)
    }

    @Test("A streamed answer waits for its reader")
    func backpressure() async throws {
        let chunk = [UInt8](repeating: 65, count: 64 << 10)
        let origin = try await LoopbackOrigin.start { .init(consuming: $0.count, .stream(chunk, times: 1024), .close) }
        let client = try await RawClient.connect(port: origin.port)
        try await client.setReading(false)
        try await client.send("go")
        _ = try await origin.connections("some of it taken") { $0.first?.sentBytes ?? 0 > 0 }
        let stalled = try await origin.settled({ $0.first?.sentBytes }, for: .milliseconds(300))
        #expect(stalled.first?.sentBytes ?? 0 < 64 << 20)
        try await client.setReading(true)
        #expect(try await client.readToEnd(within: .seconds(60)).count == 64 << 20)
    }

    @Test("What does not come is a failure that says what came instead")
    func deadline() async throws {
        let origin = try await LoopbackOrigin.start { _ in .init(consuming: 1, .send(Array("half".utf8))) }
        let client = try await RawClient.connect(port: origin.port)
        try await client.send("x")
        _ = try await client.read("the half") { $0.count == 4 ? 0 : nil }
        let error = await #expect(throws: DeadlinePassed.self) {
            try await client.read(through: "whole", within: .milliseconds(20))
        }
        #expect(error?.description.contains("half") == true)
    }

    @Test(
        "A request ends where its framing says",
        arguments: [
            ("GET / HTTP/1.1\r\n\r\n", 18),
            ("POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET", 42),
            ("POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\nGET", 60),
            ("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 53),
            ("POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nab", nil),
            ("GET / HTTP/1.1\r\n", nil),
        ]
    )
    func requests(_ text: String, _ length: Int?) {
        let request = RawRequest(first: Array(text.utf8))
        #expect(request?.bytes.count == length)
        #expect(
            request.map(\.content.count) == length.map { _ in text.contains("abc") ? 3 : text.contains("ab") ? 2 : 0 }
        )
        #expect(request.map { $0.method + $0.target } == length.map { _ in text.hasPrefix("GET") ? "GET/" : "POST/a" })
    }
}
