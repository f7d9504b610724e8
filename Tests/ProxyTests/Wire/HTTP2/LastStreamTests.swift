import Proxy
import Support
import Testing
import Traffic

/// What a client of HTTP/2 is told of its streams when the proxy ends the connection: it may send again what was in those that did not come.
@Suite(.timeLimit(.minutes(15)))
struct LastStreamTests {
    /// Asks a proxy to come to its end until nothing is open; what the client gets meanwhile.
    private static func end(_ proxy: RunningProxy, _ client: RawClient) async throws -> [UInt8] {
        var count = 0
        while try await proxy.drain() > 0 {
            count += 1
            try #require(count < 1_000, "Something is waited for")
            try await proxy.server.beat()
        }
        return try await client.readToEnd()
    }

    /// The payloads of the GOAWAY frames among what came.
    private static func goAways(in bytes: [UInt8]) -> [[UInt8]] {
        H2Frames.read(bytes).filter { $0.type == 7 }.map { $0.payload }
    }

    /// The payload of a GOAWAY frame that names a stream, without an error.
    private static func goAway(_ stream: UInt8) -> [UInt8] { [0, 0, 0, stream, 0, 0, 0, 0] }

    @Test("A connection without a stream ends with the number of the last that came", arguments: [1, 5] as [UInt8])
    func idle(last: UInt8) async throws {
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            // A scheme that is not taken, which is answered at once.
            let fields = [(":method", "GET"), (":scheme", "ftp"), (":authority", "a:1"), (":path", "/")]
            try await client.send(H2Frames.opening + H2Frames.headers(fields, H2Frames.endStream, stream: last))
            _ = try await client.read("the whole answer") { bytes in
                H2Frames.read(bytes).contains { $0.type == 0 && $0.flags & H2Frames.endStream == 1 } ? bytes.count : nil
            }
            let goAways = Self.goAways(in: try await Self.end(proxy, client))
            #expect(goAways.last == Self.goAway(last), "\(goAways)")
        }
    }

    @Test("A connection whose stream goes on refuses further ones, and ends behind its answer")
    func underWay() async throws {
        let gate = Gate()
        let origin = try await LoopbackOrigin.start { unanswered in
            H2Frames.reply(to: unanswered) { frames in
                guard frames.contains(where: { $0.type == 1 }) else { return nil }
                return [.held(gate), .send(H2Frames.headers([(":status", "204")], H2Frames.endStream))]
            }
        }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            let fields = [(":method", "GET"), (":scheme", "http"), (":authority", authority), (":path", "/")]
            try await client.send(H2Frames.opening + H2Frames.headers(fields, H2Frames.endStream))
            _ = try await origin.connections("the request") { connections in
                H2Frames.read(Array(connections.first?.received.dropFirst(24) ?? [])).contains { $0.type == 1 }
            }
            _ = try await proxy.drain()
            let first = try await client.read("GOAWAY") { bytes in
                H2Frames.read(bytes).contains { $0.type == 7 } ? bytes.count : nil
            }
            #expect(Self.goAways(in: first) == [[0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]])
            // Another request that was on its way is refused, and may be sent again.
            try await client.send(H2Frames.headers(fields, H2Frames.endStream, stream: 3))
            let refusal = try await client.read("the refusal") { bytes in
                H2Frames.read(bytes).contains { $0.type == 3 } ? bytes.count : nil
            }
            let reset = H2Frames.read(refusal).first { $0.type == 3 }
            #expect(reset?.stream == 3 && reset?.payload == [0, 0, 0, 7], "\(String(describing: reset))")
            gate.open()
            let rest = try await Self.end(proxy, client)
            #expect(H2Frames.read(rest).contains { $0.type == 1 && $0.stream == 1 }, "no answer in \(rest)")
        }
    }
}
