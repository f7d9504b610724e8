import Support
import Testing
import Traffic

/// Clients of HTTP/2 that leave.
@Suite(.timeLimit(.minutes(15)))
struct LeftStreamTests {
    @Test("A client that ends its side of the connection has left, and its streams with it")
    func leaves() async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            let head = [(":method", "GET"), (":scheme", "http"), (":authority", authority), (":path", "/")]
            try await client.send(H2Frames.opening + H2Frames.headers(head, H2Frames.endStream))
            // The request itself waits for the settings of an upstream that says nothing.
            _ = try await origin.connections("our preface") { ($0.first?.receivedBytes ?? 0) > 24 }
            try await client.halfClose()
            let record = try await proxy.record()
            #expect(record.failure == "client deliver closed" && record.exchange.target == "/")
            _ = try await client.readToEnd()
        }
    }

    @Test("A client that breaks the rules on a stream is not said to have reset it", arguments: [true, false])
    func reset(isReset: Bool) async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            let fields = [(":method", "GET"), (":scheme", "http"), (":authority", authority), (":path", "/")]
            let head = H2Frames.headers(fields, H2Frames.endStream)
            try await client.send(H2Frames.opening + head)
            // The request itself waits for the settings of an upstream that says nothing.
            _ = try await origin.connections("our preface") { ($0.first?.receivedBytes ?? 0) > 24 }
            // RST_STREAM with CANCEL, or a second head on a stream that the client has ended.
            try await client.send(isReset ? H2Frames.frame(3, 0, [0, 0, 0, 8]) : head)
            let record = try await proxy.record()
            #expect(record.failure == "client deliver reset")
            let sentence =
                isReset
                ? "The client reset the stream (CANCEL)."
                : "The client broke the rules of HTTP/2 on the stream, which was reset (STREAM_CLOSED)."
            #expect(record.exchange.failure?.message == sentence)
        }
    }
}
