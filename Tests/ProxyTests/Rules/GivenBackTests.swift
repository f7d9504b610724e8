import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// The room that is taken for bodies which rules look at, and when it is given back.
@Suite("What is kept of bodies for rules", .timeLimit(.minutes(15)))
struct GivenBackTests {
    private static func edit(_ value: String) throws -> MessageEdit {
        try RuledTraffic.edit { $0.fields.set = [try RuledTraffic.field("X-Rule", value)] }
    }

    @Test("A request's body is given back once the response is decided, while that goes on")
    func decided() async throws {
        let gate = Gate()
        let origin = try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map {
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nok"
                return .init(consuming: $0.bytes.count, .send(Array(head.utf8)), .held(gate), .send(Array("ok".utf8)))
            }
        }
        let rules = RuleList([try RuledTraffic.rule("echo", .response(try Self.edit("${json.$.a}")))], now: 0)
        try await RunningProxy.run(configure: { $0.rules = rules }) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            let head = "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Type: application/json\r\n"
            try await client.send("\(head)Content-Length: 8\r\n\r\n{\"a\": 7}")
            #expect(try await client.read(through: "\r\n\r\nok").contains("X-Rule: 7\r\n"))
            try await RuledTraffic.keeps(0, proxy)
            gate.open()
            #expect(try await proxy.record().exchange.rules.rules == ["echo"])
        }
    }

    @Test("Trailers of the response may still have something of the request's body")
    func trailers() async throws {
        let edit = try RuledTraffic.edit { $0.trailers.set = [try RuledTraffic.field("X-T", "${json.$.a}")] }
        try await RuledTraffic.run([try RuledTraffic.rule("echo", when: "body:ok", .response(edit))]) { _ in
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
        } _: { proxy, _, authority in
            let client = try await proxy.connect()
            let head = "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Type: application/json\r\n"
            try await client.send("\(head)Content-Length: 8\r\n\r\n{\"a\": 7}")
            #expect(try await client.response().trailers == "X-T: 7\r\n")
            _ = try await proxy.record()
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    @Test("Of a request's body that is too long nothing is kept, while it goes on")
    func tooLong() async throws {
        let rule = try RuledTraffic.rule("words", when: "reqbody:zzz", .response(try Self.edit("1")))
        try await RuledTraffic.run([rule], configure: { $0.ruleBodyLimitBytes = 64 << 10 }) {
            proxy,
            origin,
            authority in
            let client = try await proxy.connect()
            let head = "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: 200000\r\n\r\n"
            try await client.send(Array(head.utf8) + [UInt8](repeating: 97, count: 100_000))
            _ = try await origin.connections("a part of the request") { ($0.first?.receivedBytes ?? 0) >= 100_000 }
            try await RuledTraffic.keeps(0, proxy)
            try await client.send([UInt8](repeating: 97, count: 100_000))
            #expect(try await client.response().text == "ok")
            #expect(try await proxy.record().exchange.rules.first?.note == "skipped: body over 0 MiB")
        }
    }

    @Test("A body of a request that is held counts with its copy that waits for the upstream")
    func copies() async throws {
        let rule = try RuledTraffic.rule("words", when: "body:secret", .request(try Self.edit("1")))
        try await RuledTraffic.run([rule]) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(
                "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: 6\r\n\r\nsec"
            )
            try await RuledTraffic.keeps(6, proxy)
            try await client.send("ret")
            #expect(try await client.response().text == "ok")
            try await RuledTraffic.keeps(0, proxy)
            #expect(try await proxy.record().exchange.rules.rules == ["words"])
        }
    }
}
