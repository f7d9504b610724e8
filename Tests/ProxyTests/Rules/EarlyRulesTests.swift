import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Rules that answer before the request has ended, and answers that are taken back.
@Suite("Rules that answer early", .timeLimit(.minutes(15)))
struct EarlyRulesTests {
    private static func stub(_ text: String) throws -> Rule {
        try RuledTraffic.rule("stub", when: "path:/stub", .respond(RuleAnswers([try RuledTraffic.answer(201, text)])))
    }

    private static func head(_ authority: String, _ length: Int, _ more: String = "") -> String {
        "POST http://\(authority)/stub HTTP/1.1\r\nHost: \(authority)\r\nContent-Type: application/json\r\nContent-Length: \(length)\r\n\(more)\r\n"
    }

    @Test("An answer that needs nothing of the body does not wait for its end; the connection goes on behind the rest")
    func early() async throws {
        try await RuledTraffic.run([try Self.stub("id ${count}")]) { proxy, origin, authority in
            let client = try await proxy.connect()
            try await client.send(Self.head(authority, 10) + "12345")
            let response = try await client.response()
            #expect(response.code == 201 && response.text == "id 1" && !response.head.contains("Connection: close"))
            #expect(proxy.sink.soFar.ended.isEmpty)
            try await client.send("67890" + Self.head(authority, 2) + "12")
            #expect(try await client.response().text == "id 2")
            let records = try await proxy.sink.ended(2)
            #expect(records.map { String(decoding: $0.requestBody, as: UTF8.self) } == ["1234567890", "12"])
            #expect(records.allSatisfy { $0.exchange.outcome == .completed && $0.exchange.warnings.isEmpty })
            #expect(origin.connections.isEmpty)
        }
    }

    @Test("A client that asks before it sends its body is answered without it, unless the answer needs the body")
    func asks() async throws {
        try await RuledTraffic.run([try Self.stub("id")]) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(Self.head(authority, 9, "Expect: 100-continue\r\n"))
            let response = try await client.response()
            #expect(response.code == 201 && response.head.contains("Connection: close"))
            #expect(try await client.readToEnd() == [] && client.soFar.error == nil)
        }
        try await RuledTraffic.run([try Self.stub("id ${json.$.a}")]) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(Self.head(authority, 9, "Expect: 100-continue\r\n"))
            #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send(#"{"a": 77}"#)
            #expect(try await client.response().text == "id 77")
        }
    }

    @Test("An answer waits for the request's end where a rule for responses looks at the request's body")
    func waits() async throws {
        let field = try RuledTraffic.field("X-Big", "1")
        let rules = [
            try Self.stub("id"),
            try RuledTraffic.rule(
                "big",
                when: "reqbody:needle",
                .response(RuledTraffic.edit { $0.fields.set = [field] })
            ),
        ]
        try await RuledTraffic.run(rules) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(Self.head(authority, 6) + "nee")
            try await client.stays("hears nothing", for: .milliseconds(200)) { $0.unread.isEmpty }
            try await client.send("dle")
            #expect(try await client.response().head.contains("X-Big: 1\r\n"))
        }
    }

    @Test("A rule that was shadowed by an answer which was taken back is not counted as shadowed")
    func takenBack() async throws {
        var answer = RuleAnswer()
        answer.content = .directory(RuleAnswer.Directory(path: "/nonexistent", missing: .upstream))
        let rules = [try RuledTraffic.rule("files", .respond(RuleAnswers([answer]))), try Self.stub("id")]
        try await RuledTraffic.run(rules, configure: { $0.ruleContents = NoFiles() }) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(Self.head(authority, 2) + "12")
            #expect(try await client.response().text == "id")
            let figures = proxy.server.rules?.figures
            #expect(figures?.map(\.hits) == [0, 1] && figures?.map(\.shadowed) == [0, 0])
            let uses = try await proxy.record().exchange.rules
            #expect(uses.rules == ["files", "stub"] && !uses.contains { $0.note?.hasPrefix("shadowed") == true })
        }
    }
}
