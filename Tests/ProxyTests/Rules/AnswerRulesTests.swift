import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Rules that answer or refuse requests: the upstream hears nothing of them.
@Suite("Rules that answer in the upstream's place", .timeLimit(.minutes(15)))
struct AnswerRulesTests {
    private static func request(_ authority: String, _ path: String = "/", method: String = "GET") -> String {
        "\(method) http://\(authority)\(path) HTTP/1.1\r\nHost: \(authority)\r\n\r\n"
    }

    @Test("Answers are given one after another, the last for ever, and rules for responses apply to them")
    func sequence() async throws {
        let steps = [try RuledTraffic.answer(503, "", times: 2), try RuledTraffic.answer(201, "id ${count}")]
        let rules = [
            try RuledTraffic.rule("flaky", when: "path:/checkout", .respond(RuleAnswers(steps))),
            try RuledTraffic.rule(
                "mark",
                .response(try RuledTraffic.edit { $0.fields.add = [try RuledTraffic.field("X-Mark", "1")] })
            ),
        ]
        try await RuledTraffic.run(rules) { proxy, origin, authority in
            let client = try await proxy.connect()
            var codes: [Int] = []
            for _ in 0..<4 {
                try await client.send(Self.request(authority, "/checkout", method: "POST"))
                let response = try await client.response()
                codes.append(response.code)
                #expect(response.head.contains("Proxy-Status: inspect; details=\"rule flaky\""))
                #expect(response.head.contains("X-Mark: 1"))
            }
            #expect(codes == [503, 503, 201, 201])
            try await client.send(Self.request(authority, "/checkout", method: "HEAD"))
            let head = try await client.response(to: "HEAD")
            #expect(head.code == 201 && head.head.contains("Content-Length: 4\r\n"))
            #expect(origin.connections.isEmpty)
            let record = try #require(try await proxy.sink.ended(5).last)
            #expect(record.exchange.outcome == .completed && record.exchange.rules.rules == ["flaky", "mark"])
            #expect(record.exchange.upstream == nil)
        }
    }

    @Test("A request is refused by a status, by the end of its connection, or by a reset, and nothing goes upstream")
    func block() async throws {
        let rules = [
            try RuledTraffic.rule("forbid", when: "path:/status", .block(.status(403))),
            try RuledTraffic.rule("end", when: "path:/close", .block(.close)),
            try RuledTraffic.rule("cut", when: "path:/reset", .block(.reset)),
        ]
        try await RuledTraffic.run(rules) { proxy, origin, authority in
            let client = try await proxy.connect()
            try await client.send(Self.request(authority, "/status"))
            let refused = try await client.response()
            #expect(refused.code == 403 && refused.text.contains("The rule 'forbid'"))
            try await client.send(Self.request(authority, "/close"))
            #expect(try await client.readToEnd() == [] && client.soFar.error == nil)
            let other = try await proxy.connect()
            try await other.send(Self.request(authority, "/reset"))
            #expect(try await other.readToEnd() == [] && other.soFar.error?.contains("reset") == true)
            #expect(origin.connections.isEmpty)
            let records = try await proxy.sink.begun(3)
            #expect(records.map(\.failure) == ["none", "proxy request rule", "proxy request rule"])
            #expect(records.map { $0.exchange.rules.sentence } == ["forbid (403)", "end (close)", "cut (reset)"])
        }
    }

    @Test("A request that a rule keeps waiting hears nothing until its client leaves")
    func hang() async throws {
        try await RuledTraffic.run([try RuledTraffic.rule("offline", .block(.hang))]) { proxy, origin, authority in
            var client: RawClient? = try await proxy.connect()
            try await client?.send(Self.request(authority))
            try await client?.stays("hears nothing", for: .milliseconds(200)) { !$0.isEnded && $0.unread.isEmpty }
            client = nil
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .cancelled && record.exchange.rules.rules == ["offline"])
            #expect(origin.connections.isEmpty)
        }
    }

    @Test("A proxy that stops waits for no request to which a rule gives no answer")
    func hangStopped() async throws {
        try await RuledTraffic.run([try RuledTraffic.rule("offline", .block(.hang))]) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(Self.request(authority))
            _ = try await proxy.sink.told("the exchange that hears nothing") { $0.opened.count == 1 }
            _ = try await proxy.drain()
            #expect(try await client.readToEnd() == [])
            let record = try await proxy.record()
            #expect(record.failure == "proxy wait shutdown" && record.exchange.rules.rules == ["offline"])
        }
    }

    @Test(
        "A client that hears nothing and sends more than its request is known to have left, and is shown until then",
        arguments: [false, true]
    )
    func leftBehind(isTunnel: Bool) async throws {
        try await RuledTraffic.run([try RuledTraffic.rule("offline", .block(.hang))]) { proxy, origin, authority in
            let client = try await proxy.connect()
            let target = isTunnel ? "CONNECT localhost:\(origin.port)" : "POST http://\(authority)/"
            let length = isTunnel ? "" : "Content-Length: 3\r\n"
            try await client.send("\(target) HTTP/1.1\r\nHost: \(authority)\r\n\(length)\r\n")
            try await client.send([UInt8](repeating: 97, count: 512 << 10))
            _ = try await proxy.sink.told("the exchange that hears nothing") { $0.opened.count == 1 }
            #expect(proxy.sink.soFar.ended.isEmpty)
            try await client.close()
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .cancelled && record.exchange.rules.rules == ["offline"])
            #expect(record.requestBody.count == (isTunnel ? 0 : 3) && origin.connections.isEmpty)
        }
    }

    @Test("A tunnel is refused where its host alone decides that")
    func tunnel() async throws {
        let rules = [try RuledTraffic.rule("trackers", when: "host:localhost", .block(.status(451)))]
        try await RuledTraffic.run(rules, tls: Certificates.server("good")) { proxy, origin, _ in
            let client = try await proxy.connect()
            try await client.send("CONNECT localhost:\(origin.port) HTTP/1.1\r\nHost: localhost:\(origin.port)\r\n\r\n")
            #expect(try await client.response().code == 451)
            #expect(origin.connections.isEmpty)
            #expect(try await proxy.record().exchange.rules.rules == ["trackers"])
        }
    }

    @Test("Within a tunnel the upstream is not dialled before a request that a rule may answer is known")
    func insideTunnel() async throws {
        let answer = RuleAnswers([try RuledTraffic.answer(200, "mine")])
        let rules = [try RuledTraffic.rule("stub", when: "host:localhost path:/mine", .respond(answer))]
        try await RuledTraffic.run(rules, tls: Certificates.server("good")) { proxy, origin, _ in
            let client = try await proxy.secureTunnel(to: origin.port)
            try await client.send("GET /mine HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await client.response().text == "mine")
            #expect(origin.connections.isEmpty)
            try await client.send("GET /theirs HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await client.response().text == "ok")
            #expect(origin.connections.count == 1)
        }
    }

    @Test(
        "A request for a file that is not there goes on, and the other rules apply to it as if there were no such rule"
    )
    func missingFile() async throws {
        var answer = RuleAnswer()
        answer.content = .directory(RuleAnswer.Directory(path: "/nonexistent", missing: .upstream))
        let field = try RuledTraffic.field("X-Rule", "beta")
        let rules = [
            try RuledTraffic.rule("files", .respond(RuleAnswers([answer]))),
            try RuledTraffic.rule("beta", .request(RuledTraffic.edit { $0.fields.set = [field] })),
        ]
        try await RuledTraffic.run(rules, configure: { $0.ruleContents = NoFiles() }) { proxy, origin, authority in
            let client = try await proxy.connect()
            let body = "a=1"
            try await client.send(
                "POST http://\(authority)/a HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: 3\r\n\r\n\(body)"
            )
            #expect(try await client.response().text == "ok")
            #expect(origin.connections.first?.receivedText.hasSuffix("X-Rule: beta\r\n\r\na=1") == true)
            let uses = try await proxy.record().exchange.rules
            #expect(uses.rules == ["files", "beta"] && uses.first?.what == "" && uses.isModified)
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    @Test("A refusal does not wait for the rest of a request; an answer without content says no length")
    func early() async throws {
        var empty = RuleAnswer()
        empty.status = 204
        let rules = [
            try RuledTraffic.rule("forbid", when: "path:/status", .block(.status(403))),
            try RuledTraffic.rule("empty", .respond(RuleAnswers([empty]))),
        ]
        try await RuledTraffic.run(rules) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(Self.request(authority, "/empty"))
            let response = try await client.response()
            #expect(response.code == 204 && !response.head.contains("Content-Length"))
            try await client.send(
                "POST http://\(authority)/status HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: 99\r\n\r\nabc"
            )
            let refusal = try await client.response()
            #expect(refusal.code == 403 && refusal.head.contains("Proxy-Status: inspect; details=\"rule forbid\"\r\n"))
        }
    }

    @Test("A rule whose file is not at hand is answered by 502 and never by the upstream, and the record says why")
    func missingContents() async throws {
        var answer = RuleAnswer()
        answer.content = .file("/nonexistent/a.json")
        try await RuledTraffic.run([try RuledTraffic.rule("stub", .respond(RuleAnswers([answer])))]) {
            proxy,
            origin,
            authority in
            let client = try await proxy.connect()
            try await client.send(Self.request(authority))
            let response = try await client.response()
            #expect(response.code == 502 && response.text.contains("The rule 'stub'"))
            #expect(response.head.contains("Proxy-Status: inspect; details=\"rule stub\"\r\n"))
            #expect(origin.connections.isEmpty)
            let record = try await proxy.record()
            #expect(record.exchange.rules.last?.note?.hasPrefix("failed: ") == true)
        }
    }
}
