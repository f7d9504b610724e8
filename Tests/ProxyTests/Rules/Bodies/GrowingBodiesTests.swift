import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Edits that make bodies much longer, by whoever serves or sends them.
@Suite("Bodies that rules make longer", .timeLimit(.minutes(15)))
struct GrowingBodiesTests {
    private static let with = String(repeating: "x", count: 10_000)

    private static func rule(_ pattern: String) -> String {
        """
        [{"name": "long", "when": "path:/big", "response": {"body": {"replace": {\(pattern), "with": "\(with)"}}},
          "request": {"body": {"replace": {\(pattern), "with": "\(with)"}}}}]
        """
    }

    /// An origin whose page would grow to 40 MB.
    private static let page: LoopbackOrigin.Script = { unanswered in
        RawRequest(first: unanswered).map { request in
            let body = request.target == "/big" ? String(repeating: "</head>", count: 4_000) : "ok"
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            return .init(consuming: request.bytes.count, .send(Array(head.utf8)), .send(Array(body.utf8)))
        }
    }

    @Test("Clients that do not read have the edits of all together take no more than there is room for")
    func unread() async throws {
        let limit = 4 << 20
        try await RuledTraffic.play(Self.rule(#""find": "</head>""#), Self.page) {
            $0.ruleBodiesLimitBytes = limit
        } _: { proxy, _, authority in
            var clients: [RawClient] = []
            for _ in 0..<8 {
                let client = try await proxy.connect(holdsLittle: true)
                try await client.setReading(false)
                try await client.send(RuledTraffic.request(authority, "/big"))
                clients.append(client)
            }
            let end = ContinuousClock.now + Patience.stretched(.seconds(10))
            while proxy.server.shared.ruleBodies.heldBytes < limit {
                try #require(ContinuousClock.now < end, "The bodies take no room.")
                await Task.yield()
            }
            let other = try await proxy.connect()
            try await other.send(RuledTraffic.request(authority, "/plain"))
            #expect(try await other.response().text == "ok")
            #expect(proxy.server.shared.ruleBodies.heldBytes < limit + (20 << 20))
            for client in clients { try await client.reset() }
            let ended = try await proxy.sink.ended(9)
            #expect(ended.allSatisfy { $0.exchange.target == "/plain" || $0.responseBody.count < 9 << 20 })
        }
    }

    @Test(
        "A body grows by 8 MiB, and the rest of it stays as it is",
        arguments: [#""find": "</head>""#, #""regex": "</h[e]ad>""#]
    )
    func limit(pattern: String) async throws {
        try await RuledTraffic.play(Self.rule(pattern), Self.page) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/big"))
            let text = try await client.response().text
            let record = try await proxy.record().exchange
            let isStreamed = pattern.contains("find")
            #expect(isStreamed ? (8_000_000..<9 << 20).contains(text.utf8.count) : text.utf8.count == 28_000)
            #expect(text.hasSuffix("</head></head>"))
            let note =
                isStreamed
                ? "the body grew too much; the rest of it was not changed" : "the body would grow by over 8 MiB"
            #expect(record.rules.first { $0.action == "response" }?.note == "skipped: \(note)")
        }
    }

    @Test("A request that grows keeps its room until its upstream takes it")
    func request() async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        let rules = RuleList(try RuledTraffic.rules(Self.rule(#""find": "</head>""#)), now: 0)
        try await RunningProxy.run(configure: { $0.rules = rules }) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            let body = String(repeating: "</head>", count: 500)
            let head =
                "POST http://\(authority)/big HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: \(body.utf8.count)\r\n"
            try await client.send("\(head)\r\n\(body)")
            _ = try await origin.connections("all of the request") { ($0.first?.receivedBytes ?? 0) >= 5_000_000 }
            try await RuledTraffic.keeps(0, proxy)
            try await client.reset()
            #expect(try await proxy.record().requestBody == Array(body.utf8))
        }
    }

    /// A request, as a rule leaves its head.
    private static func judged(
        _ rule: String,
        _ fields: String,
        _ bodies: RuleBodies
    ) throws -> (rules: ExchangeRules, edited: EditedMessage) {
        let list = RuleList(try RuledTraffic.rules(rule), now: 0)
        let head = ByteBuffer(string: "POST / HTTP/1.1\r\n\(fields)\r\n")
        let exchange = Exchange(
            timeline: Timeline(started: 0),
            method: "POST",
            scheme: .http,
            host: "a.test",
            port: 80,
            target: "/",
            request: Message(head: head),
            client: Peer(token: 1, address: "127.0.0.1:1", tls: nil)
        )
        let rules = try #require(ExchangeRules(list, for: exchange, token: 1, bodies: bodies))
        let firings = try #require(rules.judge(.request, at: .requestHead, of: exchange))
        return (rules, rules.edit(head, .request, by: firings, of: exchange))
    }

    /// A request whose body a rule begins to edit as it passes.
    private static func begun(_ rule: String, _ fields: String, _ bodies: RuleBodies) throws -> ExchangeRules {
        let (rules, edited) = try judged(rule, fields, bodies)
        guard case .passing = rules.begin(.request, edited, .coming, canStream: true) else {
            Issue.record("It is not edited as it passes")
            return rules
        }
        return rules
    }

    @Test("Long texts of templates take room until the exchange ends; where there is none, the rule does nothing")
    func texts() throws {
        let bodies = RuleBodies(bodyLimitBytes: 1 << 20, limitBytes: 200_000)
        let rule = #"[{"name": "a", "request": {"body": {"append": "${reqheader.X-A}"}}}]"#
        let fields = "X-A: \(String(repeating: "x", count: 70_000))\r\nContent-Length: 9\r\n"
        let (first, edited) = try Self.judged(rule, fields, bodies)
        #expect(edited.bodyEditor != nil && bodies.heldBytes == 140_000)
        let (second, left) = try Self.judged(rule, fields, bodies)
        #expect(left.bodyEditor == nil && bodies.heldBytes == 140_000)
        #expect(second.uses.contains { $0.note?.contains("too many texts are kept") == true }, "\(second.uses)")
        first.close()
        #expect(bodies.heldBytes == 0)
        #expect(try Self.judged(rule, fields, bodies).edited.bodyEditor != nil)
    }

    @Test("The short texts of many rules are counted together")
    func shortTexts() throws {
        let bodies = RuleBodies(bodyLimitBytes: 1 << 20, limitBytes: 1 << 20)
        let rules = ["a", "b", "c"].map { #"{"name": "\#($0)", "request": {"body": {"append": "${reqheader.X-A}"}}}"# }
        let fields = "X-A: \(String(repeating: "x", count: 30_000))\r\nContent-Length: 9\r\n"
        let (judged, _) = try Self.judged("[\(rules.joined(separator: ","))]", fields, bodies)
        #expect(bodies.heldBytes == 180_000)
        judged.close()
        #expect(bodies.heldBytes == 0)
    }

    @Test("All that a request grows by is counted, its end too, until its upstream takes it")
    func counted() throws {
        let bodies = RuleBodies(bodyLimitBytes: 1 << 20, limitBytes: 1 << 20)
        let rule = #"[{"name": "a", "request": {"body": {"prepend": "12345", "append": "6789"}}}]"#
        let rules = try Self.begun(rule, "Content-Length: 4\r\n", bodies)
        #expect(rules.edit(.request, ByteBuffer(string: "body")) == ByteBuffer(string: "12345body"))
        #expect(bodies.heldBytes == 5)
        #expect(rules.finish(.request) == ByteBuffer(string: "6789"))
        #expect(bodies.heldBytes == 9)
        rules.noteSent()
        #expect(bodies.heldBytes == 0)
    }

    @Test("A body that a rule decodes for good takes no more room than there is, and is broken off")
    func decoded() throws {
        let bodies = RuleBodies(bodyLimitBytes: 1 << 20, limitBytes: 1 << 20)
        let rule = """
            [{"name": "a", "request": {"fields": {"remove": ["Content-Encoding"]}, "body": {"append": "1"}}}]
            """
        let rules = try Self.begun(rule, "Content-Encoding: gzip\r\nContent-Length: 9\r\n", bodies)
        let small = try #require(ContentEncoder.encode([UInt8](repeating: 0, count: 500_000), names: ["gzip"]))
        #expect(rules.edit(.request, ByteBuffer(bytes: small)).readableBytes == 500_000)
        #expect(rules.cut(of: .request) == nil && (490_000...500_000).contains(bodies.heldBytes))
        let other = try Self.begun(rule, "Content-Encoding: gzip\r\nContent-Length: 9\r\n", bodies)
        let long = try #require(ContentEncoder.encode([UInt8](repeating: 0, count: 700_000), names: ["gzip"]))
        #expect(other.edit(.request, ByteBuffer(bytes: long)).readableBytes == 0)
        #expect(other.cut(of: .request)?.why.contains("too many bodies are kept") == true)
        #expect(other.finish(.request) == nil && bodies.heldBytes <= 500_000)
        rules.noteSent()
        #expect(bodies.heldBytes == 0)
    }

    @Test(
        "A body that decodes to far more than came is broken off, and does not look whole, also where that shows at its end",
        arguments: [true, false],
        [72, 100]
    )
    func bomb(isUp: Bool, megabytes: Int) async throws {
        let zeros = [UInt8](repeating: 0, count: megabytes << 20)
        let bomb = try #require(ContentEncoder.encode(zeros, names: ["gzip"]))
        let origin = try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map { request in
                let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
                return .init(consuming: request.bytes.count, .send(Array(head.utf8)), .send(bomb))
            }
        }
        let rules = RuleList(try RuledTraffic.rules(Self.rule(#""find": "a""#)), now: 0)
        try await RunningProxy.run(configure: { $0.rules = rules }) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            let fields = isUp ? "Content-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n" : ""
            let method = isUp ? "POST" : "GET"
            try await client.send("\(method) http://\(authority)/big HTTP/1.1\r\nHost: \(authority)\r\n\(fields)\r\n")
            if isUp { try await client.send(bomb) }
            let answer = String(decoding: try await client.readToEnd(), as: UTF8.self)
            #expect(!answer.hasSuffix("0\r\n\r\n"))
            let exchange = try await proxy.record().exchange
            #expect(exchange.outcome == .failed)
            #expect(exchange.failure?.message.contains("the rule 'long' could not edit all of it") == true)
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    @Test(
        "A kept body that would grow past the room for all goes on as it came, coded or not, and so says the record",
        arguments: ["", "gzip"]
    )
    func noRoom(coding: String) async throws {
        let text = String(repeating: "some words of an admin\n", count: 200)
        let body = coding.isEmpty ? Array(text.utf8) : try RuledTraffic.coded(text, coding)
        let fields = coding.isEmpty ? "X-Coding: none" : "Content-Encoding: \(coding)"
        let answer = RuledTraffic.message("HTTP/1.1 200 OK", "Content-Type: text/plain", fields, body: body)
        let with = String(repeating: "x", count: 100)
        let rule = """
            [{"name": "long", "when": "resbody:words", "response": {"fields": {"remove": ["Content-Encoding"]},
              "body": {"replace": {"find": "admin", "with": "\(with)"}}}}]
            """
        try await RuledTraffic.play(rule, RawRequest.answering { _ in answer }) {
            $0.ruleBodiesLimitBytes = 10_000
        } _: { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/"))
            let response = try await client.response()
            #expect(response.body == body && response.head.contains(fields), "\(response.head)")
            let uses = try await proxy.record().exchange.rules.filter { $0.note?.contains("too many bodies") == true }
            #expect(uses.count == 1 && uses.allSatisfy { !$0.what.contains("admin") }, "\(uses)")
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    /// A short body that decodes to more than it may: 100 MiB of zeros.
    private static func bomb() throws -> [UInt8] {
        try #require(ContentEncoder.encode([UInt8](repeating: 0, count: 100 << 20), names: ["zstd"]))
    }

    @Test("An upload that is broken off behind an early answer does not look whole to its upstream")
    func early() async throws {
        let bomb = try Self.bomb()
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone"
        let script: LoopbackOrigin.Script = { unanswered in
            let isHead = unanswered.starts(with: Array("POST".utf8))
            guard isHead, unanswered.firstRange(of: Array("\r\n\r\n".utf8)) != nil else { return nil }
            return .init(consuming: unanswered.count, .send(Array(answer.utf8)))
        }
        try await RuledTraffic.play(Self.rule(#""find": "a""#), script) { proxy, origin, authority in
            let client = try await proxy.connect()
            let fields = "Host: \(authority)\r\nContent-Encoding: zstd\r\nContent-Length: \(bomb.count)\r\n"
            try await client.send("POST http://\(authority)/big HTTP/1.1\r\n\(fields)\r\n")
            #expect(try await client.response().text == "done")
            try await client.send(bomb)
            let seen = try await origin.connections("its end") { $0.first?.isClosed == true }
            #expect(seen.first?.receivedText.hasSuffix("0\r\n\r\n") == false)
            let exchange = try await proxy.record().exchange
            #expect(exchange.outcome == .failed && exchange.code == 200)
            #expect(exchange.failure?.message.contains("the rule 'long' could not edit all of it") == true)
            // The client has sent all of it, and may go on.
            try await client.send(
                "POST http://\(authority)/small HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: 0\r\n\r\n"
            )
            #expect(try await client.response().text == "done")
        }
    }

    @Test(
        "Where a close is the end of a body, one that is broken off ends with a reset",
        arguments: [("1.0", "1.1", true), ("1.1", "1.0", false), ("1.1", "1.1", false)]
    )
    func reset(client version: String, origin: String, isChunked: Bool) async throws {
        let bomb = try Self.bomb()
        let start = "HTTP/\(origin) 200 OK\r\nContent-Encoding: zstd\r\n"
        let fields = isChunked ? "Transfer-Encoding: chunked\r\n" : "Content-Length: \(bomb.count)\r\n"
        let chunk = isChunked ? "\(String(bomb.count, radix: 16))\r\n" : ""
        let answer = Array("\(start)\(fields)\r\n\(chunk)".utf8) + bomb + (isChunked ? Array("\r\n".utf8) : [])
        try await RuledTraffic.play(Self.rule(#""find": "a""#), RawRequest.answering { _ in answer }) {
            proxy,
            _,
            authority in
            let client = try await proxy.connect()
            try await client.send("GET http://\(authority)/big HTTP/\(version)\r\nHost: \(authority)\r\n\r\n")
            let all = String(decoding: try await client.readToEnd(), as: UTF8.self)
            // Between chunks a close shows that the last one is missing.
            let closes = version == "1.0" || origin == "1.0"
            #expect(closes == (client.soFar.error != nil) && !all.hasSuffix("0\r\n\r\n"))
            let exchange = try await proxy.record().exchange
            #expect(exchange.failure?.message.contains("the rule 'long' could not edit all of it") == true)
        }
    }
}
