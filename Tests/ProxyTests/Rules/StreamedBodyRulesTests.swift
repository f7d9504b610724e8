import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Rules that edit bodies of responses while these pass.
@Suite("Rules that edit responses as they pass", .timeLimit(.minutes(15)))
struct StreamedBodyRulesTests {
    private static let rules = #"""
        [{"name": "test", "when": "type:html",
          "response": {"body": {"replace": {"find": "<title>", "with": "<title>TEST "}}}}]
        """#

    /// An origin that sends a page in two parts, the second behind a gate.
    private static func page(
        _ gate: Gate,
        _ fields: String = "Content-Length: 33\r\n",
        version: String = "1.1",
        isCut: Bool = false
    ) -> LoopbackOrigin.Script {
        let first = "HTTP/\(version) 200 OK\r\nContent-Type: text/html\r\n\(fields)\r\n<html><ti"
        return { unanswered in
            RawRequest(first: unanswered).map { request in
                var reply = LoopbackOrigin.Reply(consuming: request.bytes.count)
                reply.steps = [
                    .send(Array(first.utf8)), .held(gate),
                    .send(Array("tle>Shop</title></html>\n".utf8.prefix(isCut ? 9 : 99))),
                ]
                if isCut || fields.isEmpty { reply.steps.append(.close) }
                return reply
            }
        }
    }

    private static let edited = "<html><title>TEST Shop</title></html>\n"

    @Test("The beginning passes before the end has come, in chunks; a text is found that two pieces share")
    func chunks() async throws {
        let gate = Gate()
        try await RuledTraffic.play(Self.rules, Self.page(gate, "Content-Length: 33\r\nX-A: 1\r\n")) {
            proxy,
            _,
            authority in
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/"))
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\n\r\n"
            #expect(try await client.read(through: "<html>") == head + "6\r\n<html>")
            gate.open()
            let rest = try await client.read(through: "0\r\n\r\n")
            #expect(rest.contains("<title>TEST Shop</title></html>\n"))
            let record = try await proxy.record()
            #expect(record.responseBody == Array(Self.edited.utf8) && record.exchange.outcome == .completed)
            #expect(record.responseHead?.contains("Content-Length: 33\r\n") == true)
            #expect(record.exchange.rules.isModified && record.exchange.rules.first?.what.contains("<title>") == true)
            // The connection goes on.
            try await client.send(RuledTraffic.request(authority, "/"))
            #expect(try await client.response().text == Self.edited)
        }
    }

    @Test(
        "A client of HTTP/1.0 has the end of the body by that of its connection, and so has an answer of HTTP/1.0",
        arguments: [
            ("1.0", "1.1", "Content-Length: 33\r\n"), ("1.1", "1.0", "Content-Length: 33\r\n"), ("1.1", "1.0", ""),
        ]
    )
    func closes(client version: String, origin: String, fields: String) async throws {
        let gate = Gate()
        gate.open()
        try await RuledTraffic.play(Self.rules, Self.page(gate, fields, version: origin)) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send("GET http://\(authority)/ HTTP/\(version)\r\nHost: \(authority)\r\n\r\n")
            let all = String(decoding: try await client.readToEnd(), as: UTF8.self)
            #expect(all.hasSuffix("\r\n\r\n" + Self.edited) && client.soFar.error == nil)
            #expect(!all.contains("Content-Length") && !all.contains("chunked"), "\(all)")
            #expect(try await proxy.record().responseBody == Array(Self.edited.utf8))
        }
    }

    @Test("A response that is cut stays cut", arguments: ["1.1", "1.0"])
    func cut(version: String) async throws {
        let gate = Gate()
        gate.open()
        try await RuledTraffic.play(Self.rules, Self.page(gate, "Content-Length: 33\r\n", isCut: true)) {
            proxy,
            _,
            authority in
            let client = try await proxy.connect()
            try await client.send("GET http://\(authority)/ HTTP/\(version)\r\nHost: \(authority)\r\n\r\n")
            let all = String(decoding: try await client.readToEnd(), as: UTF8.self)
            #expect(all.contains("<html>") && !all.hasSuffix("0\r\n\r\n"), "\(all)")
            #expect(client.soFar.error != nil, "The connection is reset, not ended")
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .failed && record.failure.hasPrefix("upstream receive"))
            #expect(all.contains(String(decoding: record.responseBody.prefix(6), as: UTF8.self)))
        }
    }

    @Test("Coded bodies are coded again as they pass, however long", arguments: ["identity", "gzip", "br", "zstd"])
    func codings(coding: String) async throws {
        let line = "<title>Shop</title> and more of it\n"
        let text = String(repeating: line, count: 100_000)
        let body = try RuledTraffic.coded(text, coding)
        let answer = RuledTraffic.message(
            "HTTP/1.1 200 OK",
            "Content-Type: text/html",
            coding == "identity" ? "" : "Content-Encoding: \(coding)",
            body: body
        )
        try await RuledTraffic.play(
            Self.rules,
            RawRequest.answering { _ in answer },
            configure: { $0.ruleBodyLimitBytes = 1 << 20 }
        ) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/"))
            let response = try await client.response()
            #expect(response.head.contains("Transfer-Encoding: chunked\r\n"))
            let got = RuledTraffic.text(response.body, coding)
            #expect(got == text.replacing("<title>", with: "<title>TEST "))
            let record = try await proxy.record()
            #expect(record.responseBody == response.body)
            #expect(record.exchange.rules.first?.what.hasSuffix(" ×100000") == true, "\(record.exchange.rules)")
        }
    }

    @Test("Events are edited one by one as they come; an edit that needs the whole stream is skipped, and said")
    func events() async throws {
        let gate = Gate()
        let rules = #"""
            [{"name": "words", "when": "path:/words", "response": {"body": {"replace": {"find": "admin", "with": "guest"}}}},
             {"name": "whole", "when": "path:/whole", "response": {"body": {"replace": {"regex": "adm.n", "with": "guest"}}}}]
            """#
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: admin 1\n\n"
        try await RuledTraffic.play(
            rules,
            { unanswered in
                RawRequest(first: unanswered).map {
                    .init(
                        consuming: $0.bytes.count,
                        .send(Array(head.utf8)),
                        .held(gate),
                        .send(Array("data: admin 2\n\n".utf8)),
                        .close
                    )
                }
            }
        ) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/words"))
            #expect(try await client.read(through: "data: guest 1\n\n").contains("chunked"))
            let other = try await proxy.connect()
            try await other.send(RuledTraffic.request(authority, "/whole"))
            #expect(try await other.read(through: "data: admin 1\n\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
            gate.open()
            _ = try await client.read(through: "data: guest 2\n\n")
            _ = try await other.read(through: "data: admin 2\n\n")
            let records = try await proxy.sink.ended(2).sorted { $0.exchange.target > $1.exchange.target }
            #expect(records.map { $0.messages.count } == [2, 2])
            #expect(records.first?.messages.first?.text?.contains("guest 1") == true)
            #expect(records.map { $0.exchange.rules.isModified } == [true, false])
            #expect(
                records.last?.exchange.rules.first?.note
                    == "skipped: the body is a stream, which has no end to wait for"
            )
        }
    }
}
