import NIOCore
import Proxy
import Support
import Testing

@testable import Traffic

/// Throttles of connections whose bytes nobody reads.
@Suite("Rules that slow tunnels", .timeLimit(.minutes(15)))
struct SlowTunnelTests {
    private static func rule(_ when: String, _ change: (inout RuleThrottle) -> Void) throws -> Rule {
        var throttle = RuleThrottle()
        change(&throttle)
        return try RuledTraffic.rule("wifi", when: when, .throttle(throttle))
    }

    /// Answers the end of a line with so many bytes, and ends its side.
    private static func opaque(_ count: Int) async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start { bytes in
            bytes.last == 10
                ? .init(consuming: bytes.count, .send([UInt8](repeating: 7, count: count)), .close) : nil
        }
    }

    private static func run(
        _ rules: [Rule],
        _ origin: LoopbackOrigin,
        _ body: @escaping @Sendable (RunningProxy, RawClient) async throws -> Void
    ) async throws {
        try await RunningProxy.run(configure: {
            $0.listenModes = [ListenMode(.socks5(nil), host: "127.0.0.1", port: 0)]
            $0.rules = RuleList(rules, now: 0)
        }) { proxy in
            let (client, reply) = try await SOCKSClient.connect(proxy.port, host: "127.0.0.1", port: origin.port)
            #expect(reply == 0)
            try await body(proxy, client)
        }
    }

    @Test("A tunnel takes the time of the way, and gets every byte and its end")
    func latency() async throws {
        let origin = try await Self.opaque(300_000)
        let rule = try Self.rule("host:127.0.0.1") { $0.roundTrip = 400_000 }
        try await Self.run([rule], origin) { proxy, client in
            let start = ContinuousClock.now
            try await client.send("\0hi\n")
            #expect(try await client.readToEnd() == [UInt8](repeating: 7, count: 300_000))
            #expect(start.duration(to: .now) >= .milliseconds(400))
            try await client.close()
            let exchange = try await proxy.record().exchange
            #expect(exchange.outcome == .tunnelled && exchange.rules.map(\.rule) == ["wifi"])
            #expect(exchange.rules.map(\.action) == ["throttle"] && exchange.rules.map(\.phase) == [.connect])
            #expect(exchange.response?.body.length == 300_000 && exchange.request.body.length == 4)
        }
    }

    @Test("A narrow line gives a tunnel no more than its rate")
    func rate() async throws {
        let origin = try await Self.opaque(60_000)
        let rule = try Self.rule("") { $0.down = ByteRate(kilobits: 800) }
        try await Self.run([rule], origin) { proxy, client in
            let start = ContinuousClock.now
            try await client.send("\0hi\n")
            #expect(try await client.readToEnd() == [UInt8](repeating: 7, count: 60_000))
            #expect(start.duration(to: .now) >= .milliseconds(550))
            try await client.close()
            #expect(try await proxy.record().exchange.outcome == .tunnelled)
        }
    }

    @Test("What waits for its time still passes where its sender has ended its side, and then breaks the connection")
    func brokenBehindEnd() async throws {
        let gate = Gate()
        let origin = try await LoopbackOrigin.start { bytes in
            guard bytes.last == 10 else { return nil }
            let all = [UInt8](repeating: 7, count: 40_000)
            return .init(consuming: bytes.count, .send(all), .halfClose, .held(gate), .reset)
        }
        let rule = try Self.rule("") { $0.down = ByteRate(kilobits: 800) }
        try await Self.run([rule], origin) { proxy, client in
            try await client.send("\0hi\n")
            _ = try await client.read(count: 10_000)
            gate.open()
            #expect(try await client.readToEnd().count == 30_000)
            #expect(client.soFar.error == nil)
            // Its client has not ended its side.
            let exchange = try await proxy.record().exchange
            #expect(exchange.warnings == ["The upstream's connection broke before the tunnel was closed."])
        }
    }

    @Test("A proxy that stops lets a slow tunnel go on at once")
    func stopped() async throws {
        let origin = try await Self.opaque(50_000)
        let rule = try Self.rule("") { $0.down = ByteRate(kilobits: 8) }
        try await Self.run([rule], origin) { proxy, client in
            try await client.send("\0hi\n")
            _ = try await client.read(count: 1)
            async let draining = proxy.drain()
            #expect(try await client.readToEnd().count == 49_999)
            try await client.close()
            _ = try await draining
        }
    }

    @Test("A throttle below a rule that ends the list for a tunnel leaves it alone")
    func ended() async throws {
        let origin = try await Self.opaque(10)
        let rules = [
            try RuledTraffic.rule("leave alone", when: "host:127.0.0.1") { $0.stops = true },
            try Self.rule("") { $0.roundTrip = 60_000_000 },
        ]
        try await Self.run(rules, origin) { proxy, client in
            try await client.send("\0hi\n")
            #expect(try await client.readToEnd().count == 10)
            try await client.close()
            #expect(try await proxy.record().exchange.rules.isEmpty)
        }
    }

    @Test("A throttle that asks for more than is known of a tunnel leaves it alone")
    func unknown() async throws {
        let origin = try await Self.opaque(10)
        let rules = [
            try Self.rule("path:/a") { $0.roundTrip = 60_000_000 },
            try RuledTraffic.rule("other", when: "host:other.test", .throttle(RuleThrottle())),
        ]
        try await Self.run(rules, origin) { proxy, client in
            try await client.send("\0hi\n")
            #expect(try await client.readToEnd().count == 10)
            try await client.close()
            #expect(try await proxy.record().exchange.rules.isEmpty)
        }
    }
}
