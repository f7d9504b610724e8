import Proxy
import Support
import Testing
import Traffic

/// Peers that take what is sent to them so slowly that their sockets have no room for more for minutes.
@Suite(.timeLimit(.minutes(15)))
struct SlowPeerTests {
    /// What a client speaks.
    enum Way: CaseIterable { case plain, secure, http2 }

    /// Answers with as many bytes as the target says, and closes nothing.
    static func origin(isSecure: Bool) async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(tls: isSecure ? Certificates.server("good") : nil) { unanswered in
            guard let request = RawRequest(first: unanswered) else { return nil }
            let size = Int(request.target.dropFirst()) ?? 0
            let piece = [UInt8](repeating: 120, count: 64 << 10)
            return .init(
                consuming: request.bytes.count,
                .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n".utf8)),
                .stream(piece, times: size / piece.count),
                .send([UInt8](repeating: 121, count: size % piece.count))
            )
        }
    }

    /// Asks for so many bytes without reading any.
    private func ask(_ size: Int, _ origin: LoopbackOrigin, _ proxy: RunningProxy, _ way: Way) async throws -> RawClient
    {
        let authority = "localhost:\(origin.port)"
        switch way {
        case .plain:
            let client = try await proxy.connect(holdsLittle: true)
            try await client.setReading(false)
            try await client.send("GET http://\(authority)/\(size) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            return client
        case .secure:
            let client = try await proxy.secureTunnel(to: origin.port, holdsLittle: true)
            try await client.setReading(false)
            try await client.send("GET /\(size) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            return client
        case .http2:
            let client = try await proxy.tunnel(to: origin.port, holdsLittle: true)
            try await client.startTLS(name: "localhost", trusting: proxy.rootFile, protocols: ["h2"])
            try await client.setReading(false)
            let fields = [(":method", "GET"), (":scheme", "https"), (":authority", authority), (":path", "/\(size)")]
            // The windows of the stream and of the connection as wide as can be.
            let settings = H2Frames.frame(4, 0, stream: 0, [0, 4, 0x7F, 0xFF, 0xFF, 0xFF])
            let window = H2Frames.frame(8, 0, stream: 0, [0x7F, 0xFF, 0, 0])
            let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
            try await client.send(preface + settings + window + H2Frames.headers(fields, H2Frames.endStream))
            return client
        }
    }

    /// Asks for so many bytes, and waits for them to have gone as far as they go while their client does not read.
    private func stall(
        _ size: Int,
        _ origin: LoopbackOrigin,
        _ proxy: RunningProxy,
        _ way: Way
    ) async throws -> RawClient {
        let before = Self.sentBytes(origin.connections)
        let client = try await ask(size, origin, proxy, way)
        _ = try await origin.connections("some of it taken") { Self.sentBytes($0) > before + 1 << 20 }
        _ = try await origin.settled(Self.sentBytes, for: .milliseconds(200))
        // The first look takes note of it.
        try await proxy.pass(.milliseconds(20))
        return client
    }

    private static func sentBytes(_ connections: [LoopbackOrigin.Connection]) -> Int {
        connections.map(\.sentBytes).reduce(0, +)
    }

    /// More than a peer's socket of little room holds, so that it says to have room again, and a fraction of what makes room in the proxy's.
    private static let littleBytes = 300_000

    /// Lets three minutes pass in which the client takes little.
    private func creep(_ proxy: RunningProxy, _ client: RawClient, _ origin: LoopbackOrigin) async throws {
        for _ in 1...3 {
            try await client.take(Self.littleBytes)
            // Time passes only when what that lets go has gone.
            _ = try await origin.settled(Self.sentBytes, for: .milliseconds(100))
            try await proxy.pass(.seconds(60))
        }
    }

    @Test("A slow reader that goes on reading is not given up, and one that stops is", arguments: Way.allCases)
    func download(way: Way) async throws {
        let origin = try await Self.origin(isSecure: way != .plain)
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.bodyLimitBytes = 1_000
                $0.matchesProtocols = false
            }
        ) { proxy in
            let client = try await stall(1 << 40, origin, proxy, way)
            try await creep(proxy, client, origin)
            #expect(proxy.sink.soFar.ended.isEmpty, "\(proxy.sink.soFar)")
            try await proxy.pass(.seconds(60), until: "the client to be given up") { !proxy.sink.soFar.ended.isEmpty }
            let record = try await proxy.record()
            #expect(record.failure == "client deliver timeout")
            // A stream's reset waits in the connection; after a while the connection goes with it.
            for _ in 1...5 { try await proxy.pass(.seconds(60)) }
            var beatCount = 0
            while proxy.server.figures.connections > 0 {
                beatCount += 1
                try #require(beatCount < 1_000, "A connection whose client reads nothing is kept")
                try await proxy.server.beat()
            }
            try? await client.reset()
        }
    }

    @Test("A stream whose client opens its window a little at a time is not given up, and one whose window stays is")
    func window() async throws {
        let origin = try await Self.origin(isSecure: true)
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.bodyLimitBytes = 1_000
                $0.matchesProtocols = false
            }
        ) { proxy in
            let client = try await proxy.tunnel(to: origin.port)
            try await client.startTLS(name: "localhost", trusting: proxy.rootFile, protocols: ["h2"])
            let authority = "localhost:\(origin.port)"
            let fields = [
                (":method", "GET"), (":scheme", "https"), (":authority", authority), (":path", "/\(1 << 40)"),
            ]
            // A window of 500 bytes.
            let settings = H2Frames.frame(4, 0, stream: 0, [0, 4, 0, 0, 1, 0xF4])
            try await client.send(H2Frames.opening + settings + H2Frames.headers(fields, H2Frames.endStream))
            func take() async throws {
                _ = try await client.read("a window of it") { bytes in
                    bytes.count { $0 == 120 } >= 500 ? bytes.count : nil
                }
            }
            try await take()
            _ = try await origin.settled(Self.sentBytes, for: .milliseconds(200))
            try await proxy.pass(.milliseconds(20))
            for _ in 1...4 {
                try await client.send(H2Frames.frame(8, 0, [0, 0, 1, 0xF4]))
                try await take()
                try await proxy.pass(.seconds(60))
            }
            #expect(proxy.sink.soFar.ended.isEmpty, "\(proxy.sink.soFar)")
            try await proxy.pass(.seconds(60), until: "the client to be given up") { !proxy.sink.soFar.ended.isEmpty }
            #expect(try await proxy.record().failure == "client deliver timeout")
        }
    }

    @Test(
        "A slow reader gets the last bytes too, though the exchange is over, and the proxy about to stop",
        arguments: Way.allCases,
        [false, true]
    )
    func end(way: Way, isStopping: Bool) async throws {
        let origin = try await Self.origin(isSecure: way != .plain)
        try await RunningProxy.run(clock: TestClock(), configure: { $0.matchesProtocols = false }) { proxy in
            // What two sockets and the proxy hold for a client that reads nothing.
            let other = try await stall(1 << 30, origin, proxy, way)
            let held = try await proxy.sink.settled(\.responseBytes).responseBytes
            try await other.reset()
            _ = try await proxy.sink.ended()
            for size in [held - (96 << 10), held - (32 << 10)] {
                let count = proxy.sink.soFar.ended.count
                let client = try await stall(size, origin, proxy, way)
                if isStopping {
                    _ = try await proxy.drain()
                    try await proxy.pass(.seconds(60))
                } else {
                    try await creep(proxy, client, origin)
                }
                try await client.setReading(true)
                let ended = try await proxy.sink.ended(count + 1)
                #expect(ended.last?.failure == "none" && ended.last?.exchange.response?.body.length == Int64(size))
                _ = try await client.read("the whole of it") { bytes in
                    bytes.count >= size && bytes.count { $0 == 120 || $0 == 121 } >= size ? bytes.count : nil
                }
                try await client.reset()
            }
        }
    }

    @Test("An upstream that takes an upload slowly is not given up, and one that stops is")
    func upload() async throws {
        let origin = try await StallingOrigin.start()
        try await RunningProxy.run(clock: TestClock(), configure: { $0.bodyLimitBytes = 1_000 }) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send(
                "PUT http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: \(1 << 40)\r\n\r\n"
            )
            let sent = Watched(0)
            async let sending: Void = {
                while true {
                    try await client.send([UInt8](repeating: 120, count: 64 << 10))
                    sent.update { $0 += 1 }
                }
            }()
            _ = try await sent.wait(for: "the upload to begin") { $0 > 16 }
            _ = try await sent.settled({ $0 }, for: .milliseconds(200))
            try await proxy.pass(.zero)
            for _ in 1...3 {
                try await origin.take(Self.littleBytes)
                _ = try await sent.settled({ $0 }, for: .milliseconds(100))
                try await proxy.pass(.seconds(60))
            }
            #expect(proxy.sink.soFar.ended.isEmpty, "\(proxy.sink.soFar)")
            try await proxy.pass(.seconds(60), until: "the upstream to be given up") { !proxy.sink.soFar.ended.isEmpty }
            let record = try await proxy.record()
            #expect(record.failure == "upstream wait timeout")
            try await client.reset()
            _ = try? await sending
        }
    }

    @Test("A tunnel whose ends are done does not wait for ever for a client that does not read")
    func tunnel() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.last == 10,
                let size = Int(String(decoding: unanswered.dropFirst().dropLast(), as: UTF8.self))
            else { return nil }
            return .init(
                consuming: unanswered.count,
                .stream([UInt8](repeating: 0, count: 50_000), times: size),
                .halfClose
            )
        }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            var clients: [RawClient] = []
            // Of some of these the last bytes wait in the proxy.
            for size in [60, 70, 80, 90] {
                let client = try await proxy.tunnel(to: origin.port, host: "127.0.0.1")
                clients.append(client)
                try await client.setReading(false)
                try await client.send("\0\(size)\n")
                try await client.halfClose()
            }
            _ = try await origin.connections("the answers") {
                $0.count == 4 && $0.allSatisfy { $0.sentBytes > 1 << 20 }
            }
            _ = try await origin.settled({ $0.map(\.sentBytes) }, for: .milliseconds(200))
            try await proxy.pass(.seconds(60), until: "the connections to be gone") {
                proxy.server.figures.connections == 0
            }
            #expect(try await proxy.sink.ended(4).allSatisfy { $0.exchange.outcome == .tunnelled })
            for client in clients { try? await client.reset() }
        }
    }
}
