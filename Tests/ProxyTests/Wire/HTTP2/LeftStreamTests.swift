import Proxy
import Support
import Testing
import Traffic

/// Clients of HTTP/2 that leave.
@Suite(.timeLimit(.minutes(15)))
struct LeftStreamTests {
    @Test(
        "A client that ends its side of the connection has left, and its streams with it; over TLS that is close_notify",
        arguments: [false, true]
    )
    func leaves(isSecure: Bool) async throws {
        let origin = try await LoopbackOrigin.start(tls: isSecure ? Certificates.server("good") : nil) { _ in nil }
        try await RunningProxy.run(clock: TestClock(), configure: { $0.matchesProtocols = false }) { proxy in
            let client = isSecure ? try await proxy.tunnel(to: origin.port) : try await proxy.connect()
            if isSecure {
                try await client.startTLS(name: "localhost", trusting: proxy.rootFile, protocols: ["h2"])
            }
            let authority = "\(isSecure ? "localhost" : "127.0.0.1"):\(origin.port)"
            let scheme = isSecure ? "https" : "http"
            let head = [(":method", "GET"), (":scheme", scheme), (":authority", authority), (":path", "/")]
            try await client.send(H2Frames.opening + H2Frames.headers(head, H2Frames.endStream))
            // The request, or our preface: the request itself waits for the settings of an upstream that says nothing.
            _ = try await origin.connections("what we send") { all in all.contains { $0.receivedBytes > 24 } }
            try await client.halfClose()
            let record = try await proxy.record()
            #expect(record.failure == "client deliver closed" && record.exchange.target == "/")
            #expect(record.exchange.outcome == .cancelled)
            _ = try await client.readToEnd()
        }
    }

    @Test(
        "A client that resets its stream cancels, unless it says that something is wrong; one that breaks the rules is not said to have reset it",
        arguments: [0, 5, 8, 1, nil] as [UInt8?]
    )
    func reset(code: UInt8?) async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            let fields = [(":method", "GET"), (":scheme", "http"), (":authority", authority), (":path", "/")]
            let head = H2Frames.headers(fields, H2Frames.endStream)
            try await client.send(H2Frames.opening + head)
            // The request itself waits for the settings of an upstream that says nothing.
            _ = try await origin.connections("our preface") { ($0.first?.receivedBytes ?? 0) > 24 }
            // RST_STREAM, or a second head on a stream that the client has ended.
            try await client.send(code.map { H2Frames.frame(3, 0, [0, 0, 0, $0]) } ?? head)
            let record = try await proxy.record()
            #expect(record.failure == "client deliver reset")
            let name = code.map { [0: "NO_ERROR", 1: "PROTOCOL_ERROR", 5: "STREAM_CLOSED", 8: "CANCEL"][$0] ?? "" }
            let sentence =
                name.map { "The client reset the stream (\($0))." }
                ?? "The client broke the rules of HTTP/2 on the stream, which was reset (STREAM_CLOSED)."
            #expect(record.exchange.failure?.message == sentence)
            #expect(record.exchange.outcome == (code == nil || code == 1 ? .failed : .cancelled))
        }
    }

    @Test(
        "A client that resets its stream has had all where all content was sent, and not where some waited for its window",
        arguments: [(4_000, Outcome.completed), (1_000, .cancelled)]
    )
    func resetLate(windowBytes: Int, outcome: Outcome) async throws {
        let content = String(repeating: "x", count: 3_000)
        // All content, and no end of the stream.
        let response = H2Frames.headers([(":status", "200"), ("content-length", "3000")], 0) + H2Frames.data(content)
        let origin = try await LoopbackOrigin.start { unanswered in
            H2Frames.reply(to: unanswered) { frames in frames.contains { $0.type == 1 } ? [.send(response)] : [] }
        }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            let fields = [(":method", "GET"), (":scheme", "http"), (":authority", authority), (":path", "/")]
            let windowSize: [UInt8] = [0, 4, 0, 0, UInt8(windowBytes >> 8), UInt8(windowBytes & 0xFF)]
            let settings = H2Frames.frame(4, 0, stream: 0, windowSize)
            try await client.send(H2Frames.opening + settings + H2Frames.headers(fields, H2Frames.endStream))
            let sentBytes = min(windowBytes, 3_000)
            _ = try await client.read("what the window allows") { bytes in
                let data = H2Frames.read(bytes).filter { $0.type == 0 }
                return data.reduce(0) { $0 + $1.payload.count } == sentBytes ? bytes.count : nil
            }
            // CANCEL.
            try await client.send(H2Frames.frame(3, 0, [0, 0, 0, 8]))
            let record = try await proxy.record()
            #expect(record.exchange.outcome == outcome && record.exchange.response?.body.length == 3_000)
            #expect(record.failure == (outcome == .completed ? "none" : "client deliver reset"))
        }
    }

    @Test(
        "A client that breaks the rules of its connection has ended no stream of it, and is not told to send one again",
        arguments: [(0, 11), (1, 6)] as [(Int, UInt8)]
    )
    func broken(flaw: Int, code: UInt8) async throws {
        let origin = try await LoopbackOrigin.start { H2Frames.reply(to: $0) }
        try await RunningProxy.run(clock: TestClock(), configure: { $0.controlFrameLimitCount = 10 }) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            let fields = [(":method", "POST"), (":scheme", "http"), (":authority", authority), (":path", "/")]
            try await client.send(H2Frames.opening + H2Frames.headers(fields, H2Frames.endStream))
            _ = try await origin.connections("the request") { connections in
                H2Frames.read(Array(connections.first?.received.dropFirst(24) ?? [])).contains { $0.type == 1 }
            }
            // A flood of PING, over which the library drops the streams itself; or a PING that is too short.
            let ping = H2Frames.frame(6, 0, stream: 0, [UInt8](repeating: 0, count: 8))
            let flaws = [Array(repeatElement(ping, count: 20).joined()), H2Frames.frame(6, 0, stream: 0, [0])]
            try await client.send(flaws[flaw])
            let rows = try await proxy.sink.ended(2)
            #expect(rows.map(\.failure).sorted() == ["client deliver http2", "client request http2"])
            #expect(rows.allSatisfy { $0.exchange.outcome == .failed })
            let message = rows.first { $0.exchange.method == "POST" }?.exchange.failure?.message
            #expect(message == "The client broke the rules of HTTP/2, and its connection was closed.")
            let goAway = H2Frames.read(try await client.readToEnd()).first { $0.type == 7 }
            // Of each of its streams it is told that it may have been processed.
            let last: [UInt8] = flaw == 0 ? [0, 0, 0, 1] : [0x7F, 0xFF, 0xFF, 0xFF]
            #expect(goAway?.payload == last + [0, 0, 0, code], "\(String(describing: goAway))")
        }
    }
}
