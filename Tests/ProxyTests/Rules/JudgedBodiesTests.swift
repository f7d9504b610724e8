import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// How often bodies are decoded to judge them, and what a body decides of which only a part is there.
@Suite("Bodies as rules judge them", .timeLimit(.minutes(15)))
struct JudgedBodiesTests {
    private static func live(_ target: String, body: String) -> LiveExchange {
        let head = "POST \(target) HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/json\r\n\r\n"
        let exchange = Exchange(
            timeline: Timeline(started: 0),
            method: "POST",
            scheme: .http,
            host: "a.test",
            port: 80,
            target: target,
            request: Message(head: ByteBuffer(string: head)),
            client: Peer(token: 1, address: "127.0.0.1:1", tls: nil)
        )
        return LiveExchange(exchange, bodies: [.request: ByteBuffer(string: body)])
    }

    @Test(
        "A body is decoded once however many tests look into it, and not at all where the rest of a condition fails",
        arguments: [("/cart", 1), ("/other", 0)]
    )
    func once(target: String, count: Int) throws {
        let conditions = [
            "json:$.total>100 path:/cart", "body:total path:/cart", "(body:x or json:$.a=1) path:/cart",
            "total path:/cart",
        ]
        let exchange = Self.live(target, body: #"{"total": 150}"#)
        let held = try conditions.map {
            try RuleCondition($0).decision(at: .requestBody, for: .request, of: exchange) == true
        }
        #expect(held == (count > 0 ? [true, true, false, true] : [false, false, false, false]))
        #expect(exchange.decoded?.count == count)
        let heads = try #require(exchange.heads)
        #expect(exchange.heads === heads, "What is folded of its heads is kept, too")
    }

    private static func big() throws -> [Rule] {
        let field = try RuledTraffic.field("X-Rule", "1")
        let edit = RuleAction.response(RuledTraffic.edit { $0.fields.set = [field] })
        return [
            try RuledTraffic.rule("with", when: "reqbody:needle", edit),
            try RuledTraffic.rule("without", when: "-reqbody:needle", edit),
        ]
    }

    @Test("A request's body that is too long to be kept decides nothing for the response, and the record says so")
    func tooLong() async throws {
        try await RuledTraffic.run(try Self.big(), configure: { $0.ruleBodyLimitBytes = 1 << 20 }) {
            proxy,
            _,
            authority in
            let client = try await proxy.connect()
            let body = [UInt8](repeating: 120, count: 2 << 20)
            try await client.send(
                "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: \(body.count)\r\n\r\n"
            )
            try await client.send(body)
            #expect(try await client.response().head.contains("X-Rule") == false)
            let uses = try await proxy.record().exchange.rules
            #expect(
                uses.rules == ["with", "without"]
                    && uses.map(\.note) == .init(repeating: "skipped: body over 1 MiB", count: 2)
            )
        }
    }

    @Test("A request's body that has not come whole when it is answered decides nothing for the response")
    func early() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.firstRange(of: Array("\r\n\r\n".utf8)) != nil else { return nil }
            return .init(consuming: unanswered.count, .send(Array(RuledTraffic.ok.utf8)))
        }
        let rules = RuleList(try Self.big(), now: 0)
        try await RunningProxy.run(configure: { $0.rules = rules }) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send(
                "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: 9\r\n\r\nabc"
            )
            #expect(try await client.response().head.contains("X-Rule") == false)
            try await client.send("defghi")
            let uses = try await proxy.record().exchange.rules
            let note = "skipped: the request's body had not come whole"
            #expect(uses.rules == ["with", "without"] && uses.map(\.note) == .init(repeating: note, count: 2))
        }
    }
}
