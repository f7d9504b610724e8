import Proxy
import Support
import Testing

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

    /// An origin that answers each request once the gate is open.
    private static func origin(_ gate: Gate) async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start { unanswered in
            H2Frames.reply(to: unanswered) { frames in
                let streams = frames.filter { $0.type == 1 }.map(\.stream)
                guard !streams.isEmpty else { return nil }
                let answers = streams.map { H2Frames.headers([(":status", "204")], H2Frames.endStream, stream: $0) }
                return [.held(gate), .send(Array(answers.joined()))]
            }
        }
    }

    /// A request to an origin.
    private static func head(_ origin: LoopbackOrigin, stream: UInt8) -> [UInt8] {
        let authority = "127.0.0.1:\(origin.port)"
        let fields = [(":method", "GET"), (":scheme", "http"), (":authority", authority), (":path", "/")]
        return H2Frames.headers(fields, H2Frames.endStream, stream: stream)
    }

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
        let origin = try await Self.origin(gate)
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await client.send(H2Frames.opening + Self.head(origin, stream: 1))
            _ = try await origin.connections("the request") { connections in
                H2Frames.read(Array(connections.first?.received.dropFirst(24) ?? [])).contains { $0.type == 1 }
            }
            _ = try await proxy.drain()
            let first = try await client.read("GOAWAY") { bytes in
                H2Frames.read(bytes).contains { $0.type == 7 } ? bytes.count : nil
            }
            #expect(Self.goAways(in: first) == [[0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]])
            // Another request that was on its way is refused, and may be sent again.
            try await client.send(Self.head(origin, stream: 3))
            let refusal = try await client.read("the refusal") { bytes in
                H2Frames.read(bytes).contains { $0.type == 3 } ? bytes.count : nil
            }
            let reset = H2Frames.read(refusal).first { $0.type == 3 }
            #expect(reset?.stream == 3 && reset?.payload == [0, 0, 0, 7], "\(String(describing: reset))")
            gate.open()
            let rest = H2Frames.read(try await Self.end(proxy, client)).filter { $0.type == 1 || $0.type == 7 }
            // The answer, and behind it the number of the last stream that came and was not refused.
            #expect(rest.map(\.type) == [1, 7], "\(rest)")
            #expect(rest.first?.stream == 1 && rest.last?.payload == Self.goAway(1), "\(rest)")
            #expect(proxy.sink.soFar.ended.map(\.failure) == ["none"])
        }
    }

    @Test("A client that gives up its last stream meanwhile, and opens a window behind that, has broken no rule")
    func givenUp() async throws {
        let gate = Gate()
        let origin = try await Self.origin(gate)
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await client.send(H2Frames.opening + Self.head(origin, stream: 1))
            _ = try await origin.connections("the request") { connections in
                H2Frames.read(Array(connections.first?.received.dropFirst(24) ?? [])).contains { $0.type == 1 }
            }
            _ = try await proxy.drain()
            _ = try await client.read("GOAWAY") { bytes in
                H2Frames.read(bytes).contains { $0.type == 7 } ? bytes.count : nil
            }
            // RST_STREAM with CANCEL, and WINDOW_UPDATE for the connection, which come in one piece.
            let frames = H2Frames.frame(3, 0, [0, 0, 0, 8]) + H2Frames.frame(8, 0, stream: 0, [0, 0, 0, 1])
            try await client.send(frames)
            let goAways = Self.goAways(in: try await Self.end(proxy, client))
            #expect(goAways == [Self.goAway(1)], "\(goAways)")
            #expect(proxy.sink.soFar.ended.map(\.failure) == ["client deliver reset"])
        }
        gate.open()
    }

    @Test("A stream on which the rules are broken meanwhile is reset alone")
    func brokenStream() async throws {
        let gate = Gate()
        let origin = try await Self.origin(gate)
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let heads = [1, 3].map { Self.head(origin, stream: $0) }
            try await client.send(H2Frames.opening + heads.joined())
            _ = try await origin.connections("both requests") { connections in
                connections.flatMap { H2Frames.read(Array($0.received.dropFirst(24))) }.count { $0.type == 1 } == 2
            }
            _ = try await proxy.drain()
            // A second head on a stream that the client has ended.
            try await client.send(heads[1])
            let first = try await client.read("the reset") { bytes in
                H2Frames.read(bytes).contains { $0.type == 3 } ? bytes.count : nil
            }
            let reset = H2Frames.read(first).first { $0.type == 3 }
            // STREAM_CLOSED.
            #expect(reset?.stream == 3 && reset?.payload == [0, 0, 0, 5], "\(String(describing: reset))")
            #expect(try await proxy.record().failure == "client deliver reset")
            gate.open()
            let rest = H2Frames.read(try await Self.end(proxy, client)).filter { $0.type == 1 || $0.type == 7 }
            #expect(rest.map(\.type) == [1, 7], "\(rest)")
            #expect(rest.first?.stream == 1 && rest.last?.payload == Self.goAway(3), "\(rest)")
            #expect(proxy.sink.soFar.ended.map(\.failure) == ["client deliver reset", "none"])
        }
    }
}
