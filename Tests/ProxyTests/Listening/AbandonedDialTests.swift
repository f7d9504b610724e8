import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// Clients that leave, and a proxy that stops, while an upstream is dialled that says nothing.
@Suite(.timeLimit(.minutes(15)))
struct AbandonedDialTests {
    /// How a client says where it wants to go.
    enum Way: CaseIterable {
        case connect, socks, transparent
    }

    /// Makes a client's way to an upstream that says nothing.
    private static func begin(_ way: Way, _ port: Int, to upstream: Int) async throws -> RawClient {
        let client = try await RawClient.connect(port: port)
        switch way {
        case .connect: try await client.send("CONNECT 127.0.0.1:\(upstream) HTTP/1.1\r\nHost: a\r\n\r\n")
        case .socks:
            try await client.send([5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1, UInt8(upstream >> 8), UInt8(upstream & 0xFF)])
        case .transparent: try await client.send([0, 1, 2, 3, 4, 5, 6, 7])
        }
        return client
    }

    private static func run(
        _ way: Way,
        _ sink: RecordingSink = RecordingSink(),
        to upstream: Int,
        _ body: (RunningProxy, _ port: Int) async throws -> Void
    ) async throws {
        let mode = ListenMode.Way.socks5(nil)
        try await RunningProxy.run(
            sink,
            clock: TestClock(),
            configure: {
                // It is of the machine's time, which is none of this.
                $0.connectTimeout = .hours(1)
                $0.passThrough = [HostPattern("127.0.0.1")].compactMap { $0 }
                if way == .socks { WaysInTests.listening(mode)(&$0) }
            }
        ) { proxy in
            guard way == .transparent else { return try await body(proxy, proxy.port) }
            try await proxy.listening(for: Endpoint(host: "127.0.0.1", port: upstream)) { try await body(proxy, $0) }
        }
    }

    @Test("A client that leaves meanwhile leaves a row, and its dial ends", arguments: Way.allCases)
    func client(way: Way) async throws {
        let deaf = try DeafPort()
        let before = Self.dialCount(to: deaf.port)
        try await Self.run(way, to: deaf.port) { proxy, port in
            let count = 40
            var clients: [RawClient] = []
            for _ in 0..<count { clients.append(try await Self.begin(way, port, to: deaf.port)) }
            try await proxy.pass(.zero, until: "every dial to begin") {
                Self.dialCount(to: deaf.port) == before.map { $0 + count }
            }
            #expect(try await proxy.drain() == count)
            for client in clients { try await client.reset() }
            let rows = try await proxy.sink.ended(count)
            #expect(rows.count == count && rows.allSatisfy { $0.failure == "client connect closed" })
            #expect(rows.allSatisfy { $0.exchange.outcome == .cancelled })
            #expect(rows.allSatisfy { $0.exchange.method == "CONNECT" && $0.exchange.port == deaf.port })
            try await proxy.pass(.zero, until: "every dial to end") { Self.dialCount(to: deaf.port) == before }
            // A connection is under way until it has heard of its row's commit.
            try await proxy.pass(.zero, until: "nothing to be under way") { try await proxy.drain() == 0 }
        }
    }

    @Test("A request whose client leaves meanwhile leaves a row, and its dial ends")
    func request() async throws {
        let deaf = try DeafPort()
        let before = Self.dialCount(to: deaf.port)
        try await Self.run(.connect, to: deaf.port) { proxy, port in
            let count = 10
            let host = "127.0.0.1:\(deaf.port)"
            var clients: [RawClient] = []
            for _ in 0..<count {
                let client = try await RawClient.connect(port: port)
                try await client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                clients.append(client)
            }
            try await proxy.pass(.zero, until: "every dial to begin") {
                Self.dialCount(to: deaf.port) == before.map { $0 + count }
            }
            for client in clients { try await client.reset() }
            let rows = try await proxy.sink.ended(count)
            #expect(rows.allSatisfy { $0.failure.hasPrefix("client deliver ") }, "\(rows.map(\.failure))")
            #expect(rows.allSatisfy { $0.exchange.outcome == .cancelled })
            try await proxy.pass(.zero, until: "every dial to end") { Self.dialCount(to: deaf.port) == before }
        }
    }

    @Test("A proxy that stops gives the dial up, records that and says so", arguments: Way.allCases)
    func proxy(way: Way) async throws {
        let deaf = try DeafPort()
        let before = Self.dialCount(to: deaf.port)
        let sink = RecordingSink()
        var left: RawClient?
        try await Self.run(way, sink, to: deaf.port) { proxy, port in
            left = try await Self.begin(way, port, to: deaf.port)
            try await proxy.pass(.zero, until: "the dial to begin") {
                Self.dialCount(to: deaf.port) == before.map { $0 + 1 }
            }
            #expect(try await proxy.drain() == 1)
        }
        #expect(sink.soFar.ended.map(\.failure) == ["proxy connect shutdown"])
        let said = try await left?.readToEnd() ?? []
        switch way {
        case .connect: #expect(String(decoding: said, as: UTF8.self).hasPrefix("HTTP/1.1 503 "))
        case .socks: #expect(said == [5, 0, 5, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        case .transparent: #expect(said == [])
        }
    }

    @Test(
        "A client that leaves while the upstream shakes hands leaves a row, and the upstream's connection ends",
        arguments: [Way.connect, .transparent],
        [true, false]
    )
    func handshake(way: Way, isReset: Bool) async throws {
        let silent = try await LoopbackOrigin.start { _ in nil }
        let hello = try await TunnelTests.clientHello(name: "localhost")
        try await RunningProxy.run(clock: TestClock()) { proxy in
            try await proxy.listening(for: Endpoint(host: "127.0.0.1", port: silent.port)) { port in
                let client =
                    way == .connect
                    ? try await proxy.tunnel(to: silent.port) : try await RawClient.connect(port: port)
                try await client.send(hello)
                _ = try await silent.connections("our ClientHello") { ($0.first?.receivedBytes ?? 0) > 100 }
                #expect(try await proxy.drain() == 1)
                if isReset { try await client.reset() } else { try await client.halfClose() }
                let record = try await proxy.record()
                #expect(record.failure == "client connect closed" && record.exchange.method == "CONNECT")
                _ = try await silent.connections("the end of the handshake") { $0.allSatisfy(\.isClientDone) }
                try await proxy.pass(.zero, until: "nothing to be under way") { try await proxy.drain() == 0 }
                #expect(proxy.sink.soFar.ended.count == 1)
            }
        }
    }

    /// How many connections of this machine to a port wait for an answer; `nil` where the kernel does not say.
    private static func dialCount(to port: Int) -> Int? {
        SocketTable.rows(remotePort: port)?.count { $0.state == SocketTable.dialling }
    }
}
