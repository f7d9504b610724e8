import NIOCore
import Proxy
import Support
import Testing

@testable import Traffic

/// Rules that refuse connections whose bytes are no HTTP, which come by SOCKS or from a transparent listener: no CONNECT says where they go.
@Suite("Rules that refuse connections without HTTP", .timeLimit(.minutes(15)))
struct OpaqueRulesTests {
    private static func opaque() async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start { $0.last == 10 ? .init(consuming: $0.count, .send([7]), .close) : nil }
    }

    private static func listening(_ rules: [Rule]) -> (inout ProxyConfiguration) -> Void {
        {
            $0.listenModes = [ListenMode(.socks5(nil), host: "127.0.0.1", port: 0)]
            $0.rules = RuleList(rules, now: 0)
        }
    }

    @Test(
        "Bytes that are no HTTP are refused by the host alone, over SOCKS and from a transparent listener",
        arguments: [RuleBlock.close, .reset, .status(403)],
        [true, false]
    )
    func refused(block: RuleBlock, isSOCKS: Bool) async throws {
        let origin = try await Self.opaque()
        let rules = [try RuledTraffic.rule("trackers", when: "host:127.0.0.1", .block(block))]
        try await RunningProxy.run(configure: Self.listening(rules)) { proxy in
            func refused(_ client: RawClient) async throws {
                try await client.send("\0hi\n")
                #expect(try await client.readToEnd() == [])
                #expect((client.soFar.error?.contains("reset") == true) == (block == .reset), "\(client.soFar)")
            }
            if isSOCKS {
                let (client, reply) = try await SOCKSClient.connect(proxy.port, host: "127.0.0.1", port: origin.port)
                #expect(reply == 0)
                try await refused(client)
            } else {
                try await proxy.listening(for: Endpoint(host: "127.0.0.1", port: origin.port)) { port in
                    try await refused(try await RawClient.connect(port: port))
                }
            }
            let record = try await proxy.record()
            #expect(record.exchange.rules.rules == ["trackers"] && record.failure == "proxy connect rule")
            #expect(record.exchange.method == "CONNECT" && record.exchange.port == origin.port)
            #expect(origin.connections.isEmpty)
        }
    }

    @Test("A connection that a rule leaves waiting hears nothing until its client leaves")
    func hang() async throws {
        let origin = try await Self.opaque()
        let rules = [try RuledTraffic.rule("offline", when: "host:127.0.0.1", .block(.hang))]
        try await RunningProxy.run(configure: Self.listening(rules)) { proxy in
            let (client, _) = try await SOCKSClient.connect(proxy.port, host: "127.0.0.1", port: origin.port)
            try await client.send("\0hi\n")
            try await client.send("more\n")
            try await client.stays("hears nothing", for: .milliseconds(200)) { !$0.isEnded && $0.unread.isEmpty }
            try await client.close()
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .cancelled && record.exchange.rules.rules == ["offline"])
            #expect(origin.connections.isEmpty)
        }
    }

    @Test("Bytes that are no HTTP pass where a rule asks for more than the host, or for another host")
    func passed() async throws {
        let origin = try await Self.opaque()
        let rules = [
            try RuledTraffic.rule("path", when: "host:127.0.0.1 path:/a", .block(.close)),
            try RuledTraffic.rule("other", when: "host:other.test", .block(.close)),
        ]
        try await RunningProxy.run(configure: Self.listening(rules)) { proxy in
            let (client, _) = try await SOCKSClient.connect(proxy.port, host: "127.0.0.1", port: origin.port)
            try await client.send("\0hi\n")
            #expect(try await client.readToEnd() == [7])
            try await client.close()
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .tunnelled && record.exchange.rules.isEmpty)
        }
    }

    @Test(
        "TLS that is passed through unread is refused by the host as well, named by the client or by its ClientHello",
        arguments: ["localhost", "127.0.0.1"]
    )
    func passedThrough(host: String) async throws {
        let origin = try await LoopbackOrigin.start(tls: Certificates.server("good")) { _ in nil }
        let rules = [try RuledTraffic.rule("trackers", when: "host:localhost", .block(.reset))]
        try await RunningProxy.run(configure: Self.listening(rules)) { proxy in
            try proxy.server.passThrough("localhost")
            let (client, _) = try await SOCKSClient.connect(proxy.port, host: host, port: origin.port)
            await #expect(throws: (any Error).self) {
                try await client.startTLS(name: "localhost", trusting: nil)
            }
            let record = try await proxy.record()
            #expect(record.exchange.host == "localhost" && record.exchange.rules.rules == ["trackers"])
        }
    }
}
