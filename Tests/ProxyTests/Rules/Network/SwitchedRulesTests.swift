import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Delays and faults on the answer that opens a WebSocket, and on what follows it.
@Suite("Rules that slow or break the opening of a WebSocket", .timeLimit(.minutes(15)))
struct SwitchedRulesTests {
    private static let switching =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
    private static let hello = Frames.frame(1, Array("hello".utf8))

    /// Has clients open a WebSocket, one after the other, whose upstream says hello at once, under a rule with some actions.
    private static func open(
        _ actions: RuleAction...,
        times: Int = 1,
        check: (RawClient, RunningProxy) async throws -> Void
    ) async throws {
        var rule = try RuledTraffic.rule("answer", when: "code:101")
        rule.actions = actions
        let origin = try await LoopbackOrigin.start { unanswered in
            guard let end = unanswered.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
            return .init(consuming: end, .send(Array(switching.utf8) + hello), .close)
        }
        let rules = RuleList([rule], now: 0)
        try await RunningProxy.run(configure: { $0.rules = rules }) { proxy in
            let authority = "127.0.0.1:\(origin.port)"
            for _ in 0..<times {
                let client = try await proxy.connect()
                try await client.send(
                    "GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
                )
                try await check(client, proxy)
            }
        }
    }

    @Test("The opening waits for its delay, and what follows it comes behind it")
    func delayed() async throws {
        let start = ContinuousClock.now
        try await Self.open(.delay(RuleDelay(.response, 300_000...300_000))) { client, proxy in
            #expect(try await client.read(through: "\r\n\r\n") == Self.switching)
            #expect(start.duration(to: .now) >= .milliseconds(300))
            #expect(try await client.read(count: Self.hello.count) == Self.hello)
            _ = try await client.readToEnd()
            let exchange = try await proxy.record().exchange
            #expect(exchange.version == .webSocket && exchange.rules.map(\.microseconds) == [300_000])
        }
    }

    @Test("A reset comes in the place of the opening")
    func reset() async throws {
        try await Self.open(.fault(ResponseFault(.reset(at: nil)))) { client, proxy in
            #expect(try await client.readToEnd() == [] && client.soFar.error?.contains("reset") == true)
            let exchange = try await proxy.record().exchange
            #expect(exchange.failure?.cause == .rule && exchange.code == nil && exchange.response == nil)
            #expect(exchange.rules.map(\.what) == ["reset"])
        }
    }

    @Test("Of an opening that breaks off behind its status the client has that line, and no frame")
    func statusOnly() async throws {
        try await Self.open(.fault(ResponseFault(.statusOnly))) { client, proxy in
            let got = String(decoding: try await client.readToEnd(), as: UTF8.self)
            #expect(got == "HTTP/1.1 101 Switching Protocols\r\n")
            let exchange = try await proxy.record().exchange
            #expect(exchange.failure?.cause == .rule && exchange.code == 101)
        }
    }

    @Test("A WebSocket is cut within a frame")
    func cut() async throws {
        try await Self.open(.fault(ResponseFault(.cut(at: 4)))) { client, proxy in
            #expect(try await client.read(through: "\r\n\r\n") == Self.switching)
            #expect(try await client.readToEnd() == Array(Self.hello.prefix(4)))
            let exchange = try await proxy.record().exchange
            #expect(exchange.failure?.cause == .rule && exchange.rules.map(\.what) == ["cut after 4 bytes"])
        }
    }

    @Test("A false length has no place in it, which the record says, and is none of its rule's times")
    func falseLength() async throws {
        var fault = ResponseFault(.badLength(nil))
        fault.limits.times = 1
        var count = 0
        try await Self.open(.fault(fault), times: 2) { client, proxy in
            #expect(try await client.read(through: "\r\n\r\n") == Self.switching)
            _ = try await client.readToEnd()
            count += 1
            let exchange = try #require(try await proxy.sink.ended(count).last).exchange
            #expect(exchange.rules.map(\.note) == ["skipped: what opens a WebSocket says no length"])
            #expect(!exchange.rules.isModified)
        }
    }

    @Test("An edit that would break the opening is skipped, and the delay beside it is not")
    func skippedEdit() async throws {
        let edit = RuledTraffic.edit { edit in
            edit.fields.remove = [NameGlob("sec-websocket-*", ignoresCase: true)]
        }
        let delay = RuleAction.delay(RuleDelay(.response, 100_000...100_000))
        try await Self.open(delay, .response(edit)) { client, proxy in
            #expect(try await client.read(through: "\r\n\r\n") == Self.switching)
            _ = try await client.readToEnd()
            let uses = try await proxy.record().exchange.rules
            #expect(uses.map(\.action) == ["delay", "response"] && uses[0].microseconds == 100_000)
            #expect(uses[1].note == "skipped: the edit would break the opening of the WebSocket")
        }
    }
}
