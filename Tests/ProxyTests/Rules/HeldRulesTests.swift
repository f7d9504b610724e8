import NIOCore
import Support
import Synchronization
import Testing

@testable import Proxy
@testable import Traffic

/// Rules that depend on bodies: the message is held until its body is whole, and passes to the byte after that.
@Suite("Rules that wait for a body", .timeLimit(.minutes(15)))
struct HeldRulesTests {
    private static func mark(_ name: String, when condition: String) throws -> Rule {
        let field = try RuledTraffic.field("X-Rule", name)
        return try RuledTraffic.rule(
            name,
            when: condition,
            .request(RuledTraffic.edit { $0.fields.set = [field] }),
            .response(RuledTraffic.edit { $0.fields.set = [field] })
        )
    }

    @Test(
        "A request is held until its body decides, asked for it where it waits to be, and sent to the byte",
        arguments: [
            (#"{"total": 150}"#, true), (#"{"total": 50}"#, false),
        ]
    )
    func request(body: String, isMatched: Bool) async throws {
        let field = try RuledTraffic.field("X-Rule", "big")
        let rule = try RuledTraffic.rule(
            "big",
            when: "path:/cart json:$.total>100",
            .request(RuledTraffic.edit { $0.fields.set = [field] })
        )
        try await RuledTraffic.run([rule]) { proxy, origin, authority in
            let client = try await proxy.connect()
            let head =
                "POST http://\(authority)/cart HTTP/1.1\r\nHost: \(authority)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n\r\n"
            try await client.send(head)
            #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            #expect(origin.connections.isEmpty)
            try await client.send(body)
            #expect(try await client.response().text == "ok")
            let received = origin.connections.first?.receivedText ?? ""
            #expect(received.hasSuffix("\r\n\r\n\(body)"))
            #expect(received.contains("X-Rule: big\r\n") == isMatched)
            let record = try await proxy.record()
            #expect(record.requestBody == Array(body.utf8))
            #expect(record.exchange.rules.rules == (isMatched ? ["big"] : []))
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    @Test("A response is held until its body decides, chunks and trailers pass, and the record has both heads")
    func response() async throws {
        let rule = try Self.mark("free", when: "json:$.free=true")
        try await RuledTraffic.run([rule]) { request in
            let body = request.target == "/a" ? #"{"free": true}"# : #"{"free": false}"#
            let size = String(body.utf8.count, radix: 16)
            return
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n\(body)\r\n0\r\nX-T: 1\r\n\r\n"
        } _: { proxy, _, authority in
            let client = try await proxy.connect()
            for (path, isMatched) in [("/a", true), ("/b", false)] {
                try await client.send("GET http://\(authority)\(path) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                let response = try await client.response()
                #expect(response.text == (isMatched ? #"{"free": true}"# : #"{"free": false}"#))
                #expect(response.head.contains("X-Rule: free") == isMatched && response.trailers == "X-T: 1\r\n")
            }
            let records = try await proxy.sink.begun(2)
            #expect(records.map { $0.exchange.rules.isModified } == [true, false])
            #expect(records.allSatisfy { $0.exchange.response?.trailers != nil && !$0.responseBody.isEmpty })
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    @Test("A response that falls silent while it is held passes as far as it came, and goes on")
    func silent() async throws {
        let gate = Gate()
        let origin = try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map {
                let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n{}"
                return .init(consuming: $0.bytes.count, .send(Array(head.utf8)), .held(gate), .send(Array("\n\n".utf8)))
            }
        }
        let rules = RuleList([try Self.mark("free", when: "json:$.free=true")], now: 0)
        try await RunningProxy.run(configure: {
            $0.rules = rules
            $0.ruleSilenceTimeout = .milliseconds(200)
        }) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            #expect(try await client.read(through: "{}").hasPrefix("HTTP/1.1 200 OK\r\n"))
            gate.open()
            #expect(try await client.read(count: 2) == [10, 10])
            let record = try await proxy.record()
            #expect(
                record.exchange.outcome == .completed && record.exchange.rules.first?.note?.hasPrefix("skipped") == true
            )
        }
    }

    @Test("A body that decides a refusal leaves its connection usable, and one that decides silence is not kept")
    func refused() async throws {
        let rules = [
            try RuledTraffic.rule("forbid", when: "path:/forbid body:a", .block(.status(403))),
            try RuledTraffic.rule("hang", when: "path:/hang body:a", .block(.hang)),
        ]
        try await RuledTraffic.run(rules) { proxy, _, authority in
            let client = try await proxy.connect()
            let rest = " HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: 3\r\n\r\na=1"
            try await client.send("POST http://\(authority)/forbid" + rest)
            #expect(try await client.response().code == 403)
            try await client.send("POST http://\(authority)/other" + rest)
            #expect(try await client.response().text == "ok")
            try await client.send("POST http://\(authority)/hang" + rest)
            _ = try await proxy.sink.told("the exchange that hears nothing") { told in
                told.opened.values.contains { $0.target == "/hang" }
            }
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    @Test("A body that is too long to be kept passes whole, and the record says that the rule was skipped")
    func tooLong() async throws {
        let text = String(repeating: "x", count: 3 << 20)
        let rule = try Self.mark("words", when: "body:needle")
        try await RuledTraffic.run([rule]) { _ in
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
        } configure: {
            $0.ruleBodyLimitBytes = 1 << 20
        } _: { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            let response = try await client.response()
            #expect(response.body.count == 3 << 20 && !response.head.contains("X-Rule"))
            let record = try await proxy.record()
            #expect(record.exchange.rules.contains { $0.note == "skipped: body over 1 MiB" })
            #expect(!record.exchange.rules.isModified && record.exchange.response?.body.length == 3 << 20)
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    @Test("A response that is held when the proxy stops is answered in its place; the record has what came of it")
    func stopped() async throws {
        let gate = Gate()
        let origin = try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map {
                let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n{}"
                return .init(consuming: $0.bytes.count, .send(Array(head.utf8)), .held(gate))
            }
        }
        let rules = RuleList([try Self.mark("free", when: "json:$.free=true")], now: 0)
        let sink = RecordingSink()
        var held: RawClient?
        try await RunningProxy.run(sink, configure: { $0.rules = rules }) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            try await RuledTraffic.keeps(2, proxy)
            held = client
        }
        let text = String(decoding: try await held?.readToEnd() ?? [], as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 503 "))
        let record = try #require(sink.soFar.ended.first)
        #expect(record.exchange.outcome == .failed && record.exchange.failure?.cause == .shutdown)
        #expect(record.exchange.ownResponse.map { String(buffer: $0) } == text)
        #expect(text.contains("error=proxy_internal_error"))
        #expect(record.exchange.code == 503 && record.responseBody == Array("{}".utf8))
        gate.open()
    }

    /// Gives content that breaks off behind its first bytes.
    private struct BreakingContents: RuleContents {
        private final class Content: SuppliedBody {
            private let isBegun = Mutex(false)

            func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void) {
                let isFirst = isBegun.withLock { isBegun in
                    defer { isBegun = true }
                    return !isBegun
                }
                give(isFirst ? .success(ByteBuffer(string: "{\"a\"")) : .failure(Gone()))
            }
        }

        private struct Gone: Error {}

        func content(
            of answer: RenderedAnswer,
            for request: AskedRequest,
            _ give: @escaping @Sendable (RuleContent) -> Void
        ) {
            give(.answer(.response(head: answer.head(length: 99), body: Content())))
        }
    }

    @Test("A file that breaks off while it is held passes as far as it came")
    func brokenFile() async throws {
        var answer = RuleAnswer()
        answer.content = .file("/nonexistent")
        let rules = [
            try RuledTraffic.rule("file", .respond(RuleAnswers([answer]))),
            try Self.mark("free", when: "body:free"),
        ]
        try await RuledTraffic.run(rules, configure: { $0.ruleContents = BreakingContents() }) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            let text = String(decoding: try await client.readToEnd(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 200 ") && text.hasSuffix("{\"a\""))
            let record = try await proxy.record()
            #expect(record.exchange.code == 200 && record.exchange.outcome == .failed)
        }
    }

    @Test(
        "A response that breaks off while it is held passes as far as it came, and the exchange fails as without rules"
    )
    func brokenOff() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map {
                let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"a\""
                return .init(consuming: $0.bytes.count, .send(Array(head.utf8)), .close)
            }
        }
        let rules = RuleList([try Self.mark("free", when: "json:$.free=true")], now: 0)
        try await RunningProxy.run(configure: { $0.rules = rules }) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            let text = String(decoding: try await client.readToEnd(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 200 OK") && text.hasSuffix("{\"a\""))
            let record = try await proxy.record()
            #expect(
                record.exchange.outcome == .failed && record.exchange.rules.first?.note?.hasPrefix("skipped") == true
            )
        }
    }
}
