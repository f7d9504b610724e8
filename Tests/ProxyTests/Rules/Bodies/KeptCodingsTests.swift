import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Rules that change how a body is coded and edit it, where the edit is skipped.
@Suite("Codings of bodies whose edits are skipped", .timeLimit(.minutes(15)))
struct KeptCodingsTests {
    private static let text = String(repeating: "some words of an admin\n", count: 200)

    private static func rules(_ side: String, _ fields: String, _ replace: String) -> String {
        """
        [{"name": "a", "\(side)": {"fields": {\(fields)}, "body": {"replace": {\(replace), "with": "guest"}}}}]
        """
    }

    private static let removed = #""remove": ["Content-Encoding"]"#
    private static let unknown = #""set": {"Content-Encoding": "unheard-of"}"#

    /// Why an edit is skipped.
    struct Case {
        var status = "200 OK"
        var fields = KeptCodingsTests.removed
        var replace = #""regex": "adm.n""#
        /// Bytes of one body that are kept for rules.
        var limit = 1 << 20
        /// Bytes of all bodies that are kept for rules.
        var room = 1 << 20
    }

    private static let cases = [
        Case(limit: 1_000), Case(room: 10), Case(fields: unknown),
        Case(fields: unknown, replace: #""find": "admin""#),
        Case(status: "206 Partial Content", replace: #""find": "admin""#),
    ]

    @Test("A body whose edit is skipped goes on as it came, and its head says how it is coded", arguments: cases)
    func response(to skipped: Case) async throws {
        let body = try RuledTraffic.coded(Self.text, "gzip")
        let answer = RuledTraffic.message(
            "HTTP/1.1 \(skipped.status)",
            "Content-Type: text/plain",
            "Content-Encoding: gzip",
            body: body
        )
        let script = RawRequest.answering { _ in answer }
        try await RuledTraffic.play(Self.rules("response", skipped.fields, skipped.replace), script) {
            ($0.ruleBodyLimitBytes, $0.ruleBodiesLimitBytes) = (skipped.limit, skipped.room)
        } _: { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/"))
            let response = try await client.response()
            #expect(response.body == body && response.head.contains("Content-Encoding: gzip\r\n"), "\(response.head)")
            #expect(response.head.contains("Content-Length: \(body.count)\r\n"))
            let exchange = try await proxy.record().exchange
            #expect(exchange.rules.first?.note?.contains("skipped") == true)
            #expect(exchange.warnings.contains { $0.contains("Content-Encoding") })
            #expect(!exchange.rules.isModified, "\(exchange.rules)")
        }
    }

    @Test("So does a request's; one that is edited is coded as the rule says", arguments: [1_000, 1 << 20])
    func request(limit: Int) async throws {
        let body = try RuledTraffic.coded(Self.text, "gzip")
        let script = RawRequest.answering { request in
            let isCoded = request.text.contains("Content-Encoding: gzip\r\n")
            return RuledTraffic.message(
                "HTTP/1.1 200 OK",
                isCoded ? "X-Coding: gzip" : "",
                body: Array(request.bytes[request.headBytes...])
            )
        }
        let rules = Self.rules("request", Self.removed, #""regex": "adm.n""#)
        try await RuledTraffic.play(rules, script) {
            $0.ruleBodyLimitBytes = limit
        } _: { proxy, _, authority in
            let client = try await proxy.connect()
            let fields = "Host: \(authority)\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n"
            try await client.send("POST http://\(authority)/ HTTP/1.1\r\n\(fields)\r\n")
            try await client.send(body)
            let response = try await client.response()
            let isEdited = limit > 1_000
            #expect(response.head.contains("X-Coding: gzip\r\n") != isEdited)
            #expect(response.body == (isEdited ? Array(Self.text.replacing("admin", with: "guest").utf8) : body))
        }
    }

    @Test(
        "A coded body that is cut short never looks whole where a rule takes its coding away",
        arguments: [true, false],
        [true, false]
    )
    func damaged(isKept: Bool, isUp: Bool) async throws {
        let body = Array(try RuledTraffic.coded(Self.text, "gzip").dropLast(20))
        let side = isUp ? "request" : "response"
        let when = !isKept ? "path:/" : isUp ? "reqbody:words" : "resbody:words"
        let rule = """
            [{"name": "a", "when": "\(when)", "\(side)": {"fields": {\(Self.removed)},
              "body": {"replace": {"find": "admin", "with": "guest"}}}}]
            """
        let fields = "Content-Type: text/plain\r\nContent-Encoding: gzip"
        let answer = RuledTraffic.message("HTTP/1.1 200 OK", fields, body: body)
        let ok = Array(RuledTraffic.ok.utf8)
        let script = RawRequest.answering { _ in isUp ? ok : answer }
        try await RuledTraffic.play(rule, script) { proxy, origin, authority in
            let client = try await proxy.connect()
            let head = "\(isUp ? "POST" : "GET") http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n"
            let more = isUp ? "\(fields)\r\nContent-Length: \(body.count)\r\n" : ""
            try await client.send("\(head)\(more)\r\n")
            if isUp { try await client.send(body) }
            if !isKept {
                let all = String(decoding: try await client.readToEnd(), as: UTF8.self)
                #expect(isUp || all.contains("guest") && !all.hasSuffix("0\r\n\r\n"))
                #expect(origin.connections.allSatisfy { !isUp || !$0.receivedText.hasSuffix("0\r\n\r\n") })
                let failure = try await proxy.record().exchange.failure
                #expect(failure?.message.contains("body cannot be decoded to its end") == true, "\(failure as Any)")
            } else {
                let response = try await client.response()
                let seen = isUp ? origin.connections.first?.received ?? [] : []
                let message = isUp ? seen : Array(response.head.utf8) + response.body
                #expect(message.suffix(body.count).elementsEqual(body))
                #expect(String(decoding: message, as: UTF8.self).contains("Content-Encoding: gzip\r\n"))
                let use = try await proxy.record().exchange.rules.first { $0.note != nil }
                #expect(use?.note?.contains("skipped: the gzip coding ends early") == true, "\(use as Any)")
            }
        }
    }

    @Test("So it is where nothing of it could be decoded, and its head has gone", arguments: ["gzip", "zstd"])
    func undecoded(coding: String) async throws {
        let coded = try RuledTraffic.coded(Self.text, coding)
        let body = Array(coding == "gzip" ? coded.prefix(11) : coded.dropLast(20))
        let answer = RuledTraffic.message("HTTP/1.1 200 OK", "Content-Encoding: \(coding)", body: body)
        let rule = Self.rules("response", Self.removed, #""find": "admin""#)
        try await RuledTraffic.play(rule, RawRequest.answering { _ in answer }) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/"))
            let all = try await client.readToEnd()
            #expect(!all.suffix(5).elementsEqual(Array("0\r\n\r\n".utf8)))
            let exchange = try await proxy.record().exchange
            #expect(exchange.failure?.message.contains("body cannot be decoded to its end") == true)
            #expect(exchange.rules.contains { $0.note == "body skipped: nothing of the body can be decoded" })
        }
    }
}
