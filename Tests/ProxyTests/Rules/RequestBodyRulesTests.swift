import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Rules that edit bodies of requests, whole and as they pass.
@Suite("Rules that edit bodies of requests", .timeLimit(.minutes(15)))
struct RequestBodyRulesTests {
    private static let whole = #"""
        [{"name": "guest", "when": "path:/json", "request": {"body": {"json": {"set": {"$.role": "guest"}}}}},
         {"name": "text", "when": "path:/text", "request": {"body": {"text": "mine"}}}]
        """#
    private static let streamed = #"""
        [{"name": "words", "request": {"body": {"replace": {"find": "needle", "with": "pin"}}}}]
        """#
    private static let ok = RawRequest.answering { _ in Array(RuledTraffic.ok.utf8) }

    /// The last request that an origin got.
    private static func request(_ origin: LoopbackOrigin) throws -> RawRequest {
        var rest = try #require(origin.connections.last).received
        var last: RawRequest?
        while let next = RawRequest(first: rest) {
            last = next
            rest.removeFirst(next.bytes.count)
        }
        return try #require(last)
    }

    private static func head(_ authority: String, _ path: String, _ fields: String, version: String = "1.1") -> String {
        "POST http://\(authority)\(path) HTTP/\(version)\r\nHost: \(authority)\r\nContent-Type: application/json\r\n\(fields)\r\n"
    }

    @Test("A body that waited for a delay, too long to be kept, is edited to its end")
    func delayed() async throws {
        let rules = #"[{"name": "late", "delay": {"request": "30ms"}, "request": {"body": {"append": "!"}}}]"#
        try await RuledTraffic.play(rules, Self.ok, configure: { $0.ruleBodyLimitBytes = 10 }) {
            proxy,
            origin,
            authority in
            let client = try await proxy.connect()
            let body = "more than ten bytes"
            try await client.send(Self.head(authority, "/", "Content-Length: \(body.utf8.count)\r\n") + body)
            #expect(try await client.response().text == "ok")
            #expect(String(decoding: try Self.request(origin).content, as: UTF8.self) == body + "!")
        }
    }

    @Test(
        "A whole body is asked for and edited in its coding, with an exact length; the record has what the client sent",
        arguments: ["identity", "gzip", "br", "zstd"]
    )
    func codings(coding: String) async throws {
        let body = try RuledTraffic.coded(#"{"id": 1.0, "role": "admin"}"#, coding)
        try await RuledTraffic.play(Self.whole, Self.ok) { proxy, origin, authority in
            let client = try await proxy.connect()
            let encoding = coding == "identity" ? "" : "Content-Encoding: \(coding)\r\n"
            let fields = "Content-Length: \(body.count)\r\nExpect: 100-continue\r\n\(encoding)"
            try await client.send(Self.head(authority, "/json", fields))
            #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            #expect(origin.connections.isEmpty)
            try await client.send(body)
            #expect(try await client.response().text == "ok")
            let request = try Self.request(origin)
            #expect(RuledTraffic.text(request.content, coding) == #"{"id": 1.0, "role": "guest"}"#)
            #expect(request.field("content-length") == "\(request.content.count)")
            #expect(request.field("transfer-encoding") == nil)
            let record = try await proxy.record()
            #expect(record.requestBody == body && record.head.contains("Content-Length: \(body.count)\r\n"))
            #expect(record.sentHead?.contains("Content-Length: \(request.content.count)\r\n") == true)
            #expect(record.exchange.rules.map(\.what) == ["$.role"])
        }
    }

    @Test("A request in chunks stays so, with its trailers, and one of HTTP/1.0 gets its length")
    func framings() async throws {
        try await RuledTraffic.play(Self.whole, Self.ok) { proxy, origin, authority in
            let client = try await proxy.connect()
            let chunks = "3\r\n{\"r\r\n10\r\nole\": \"admin\"   \r\n1\r\n}\r\n0\r\n\r\n"
            try await client.send(Self.head(authority, "/json", "Transfer-Encoding: chunked\r\n") + chunks)
            #expect(try await client.response().text == "ok")
            let request = try Self.request(origin)
            #expect(String(decoding: request.content, as: UTF8.self) == #"{"role": "guest"   }"#)
            #expect(request.field("transfer-encoding") == "chunked" && request.field("content-length") == nil)
        }
        try await RuledTraffic.play(Self.streamed, Self.ok) { proxy, origin, authority in
            let client = try await proxy.connect()
            try await client.send(Self.head(authority, "/", "Content-Length: 6\r\n", version: "1.0") + "needle")
            #expect(String(decoding: try await client.readToEnd(), as: UTF8.self).hasSuffix("ok"))
            let request = try Self.request(origin)
            #expect(request.field("content-length") == "3" && request.text.hasSuffix("\r\n\r\npin"))
        }
    }

    @Test("Another text is sent with its length, also where there was an empty body; GET without any stays as it was")
    func text() async throws {
        try await RuledTraffic.play(Self.whole, Self.ok) { proxy, origin, authority in
            let client = try await proxy.connect()
            for body in ["something longer", ""] {
                try await client.send(Self.head(authority, "/text", "Content-Length: \(body.utf8.count)\r\n") + body)
                #expect(try await client.response().text == "ok")
                #expect(try Self.request(origin).text.hasSuffix("Content-Length: 4\r\n\r\nmine"))
            }
            try await client.send(RuledTraffic.request(authority, "/text"))
            #expect(try await client.response().text == "ok")
            #expect(try Self.request(origin).text == "GET /text HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            let records = try await proxy.sink.ended(3)
            #expect(records.map { $0.exchange.rules.isModified } == [true, true, false])
            #expect(records.last?.exchange.rules.first?.note == "skipped: the request has no body")
        }
    }

    @Test("A body that passes is edited as it comes, in chunks; a text is found that two pieces share")
    func streams() async throws {
        try await RuledTraffic.play(Self.streamed, Self.ok) { proxy, origin, authority in
            let client = try await proxy.connect()
            try await client.send(Self.head(authority, "/", "Content-Length: 17\r\n") + "a needle, nee")
            let seen = try await origin.connections("the beginning") {
                $0.first?.receivedText.contains("a pin, ") == true
            }
            #expect(seen.first?.receivedText.contains("Transfer-Encoding: chunked\r\n") == true)
            try await client.send("dle.")
            #expect(try await client.response().text == "ok")
            #expect(String(decoding: try Self.request(origin).content, as: UTF8.self) == "a pin, pin.")
            let record = try await proxy.record()
            #expect(record.requestBody == Array("a needle, needle.".utf8))
            #expect(record.exchange.rules.first?.what.hasSuffix(" ×2") == true)
        }
    }

    @Test("A body that is too long to be kept passes to the byte; one that passes is edited however long it is")
    func tooLong() async throws {
        let body = Array(String(repeating: "needle ", count: 400_000).utf8)
        for (rules, isEdited) in [(Self.whole, false), (Self.streamed, true)] {
            try await RuledTraffic.play(rules, Self.ok, configure: { $0.ruleBodyLimitBytes = 1 << 20 }) {
                proxy,
                origin,
                authority in
                let client = try await proxy.connect()
                try await client.send(Self.head(authority, "/json", "Content-Length: \(body.count)\r\n"))
                try await client.send(body)
                #expect(try await client.response().text == "ok")
                let request = try Self.request(origin)
                let edited = Array(String(repeating: "pin ", count: 400_000).utf8)
                #expect(request.content == (isEdited ? edited : body))
                let record = try await proxy.record()
                #expect(record.requestBody.count == body.count)
                #expect(record.exchange.rules.first?.note == (isEdited ? nil : "skipped: body over 1 MiB"))
            }
        }
    }

    @Test("A client that leaves within a body that is waited for sends nothing upstream, and the record says so")
    func left() async throws {
        try await RuledTraffic.play(Self.whole, Self.ok) { proxy, origin, authority in
            let client = try await proxy.connect()
            try await client.send(Self.head(authority, "/json", "Content-Length: 17\r\n") + "{")
            try await client.stays("hears nothing", for: .milliseconds(200)) { $0.unread.isEmpty }
            try await client.close()
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .cancelled && origin.connections.isEmpty)
            #expect(record.exchange.rules.map(\.note) == ["skipped: the body did not come whole"])
        }
    }

    @Test("An edit follows a condition on the same body, which is judged as it came")
    func condition() async throws {
        let rules = #"""
            [{"name": "big", "when": "json:$.total>100", "request": {"body": {"json": {"set": {"$.total": 1}}}}},
             {"name": "words", "when": "json:$.total>100", "request": {"body": {"replace": {"find": "1", "with": "one"}}}}]
            """#
        try await RuledTraffic.play(rules, Self.ok) { proxy, origin, authority in
            let client = try await proxy.connect()
            for (total, sent) in [(150, #"{"total": one}"#), (50, #"{"total": 50}"#)] {
                let body = #"{"total": \#(total)}"#
                try await client.send(Self.head(authority, "/", "Content-Length: \(body.utf8.count)\r\n") + body)
                #expect(try await client.response().text == "ok")
                let request = try Self.request(origin)
                #expect(request.text.hasSuffix("Content-Length: \(sent.utf8.count)\r\n\r\n\(sent)"))
            }
        }
    }
}
