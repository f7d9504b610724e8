import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Responses that rules hold for as long as they may, by a clock of the test's.
@Suite("How long rules hold a response", .timeLimit(.minutes(15)))
struct HoldLimitTests {
    private static let overdue = "skipped: the rest of the body did not come in time"

    /// An origin whose response begins at once, and goes on by a byte behind each gate.
    private static func origin(_ gates: [Gate]) async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start { unanswered in
            guard String(decoding: unanswered, as: UTF8.self).contains("\r\n\r\n") else { return nil }
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(gates.count + 1)\r\n\r\n{"
            var reply = LoopbackOrigin.Reply(consuming: unanswered.count, .send(Array(head.utf8)))
            for gate in gates { reply.steps += [.held(gate), .send([32])] }
            return reply
        }
    }

    /// Runs a proxy with a rule that waits for the bodies of responses.
    private static func run(
        _ origin: LoopbackOrigin,
        _ sink: RecordingSink = RecordingSink(),
        configure: (inout ProxyConfiguration) -> Void = { _ in },
        _ body: (RunningProxy, RawClient, String) async throws -> Void
    ) async throws {
        let edit = try RuledTraffic.edit { $0.fields.set = [try RuledTraffic.field("X-Rule", "1")] }
        let rules = [try RuledTraffic.rule("secret", when: "body:secret", .response(edit))]
        try await RunningProxy.run(
            sink,
            clock: TestClock(),
            configure: {
                $0.rules = RuleList(rules, now: 0)
                configure(&$0)
            }
        ) { proxy in
            try await body(proxy, try await proxy.connect(), "127.0.0.1:\(origin.port)")
        }
    }

    private static func get(_ authority: String) -> String {
        "GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n"
    }

    @Test(
        "A response that comes byte by byte passes at the limit, and ends then where its client has closed",
        arguments: [false, true]
    )
    func drips(hasLeft: Bool) async throws {
        let gates = (0..<4).map { _ in Gate() }
        try await Self.run(try await Self.origin(gates)) { proxy, client, authority in
            try await client.send(Self.get(authority))
            try await RuledTraffic.keeps(1, proxy)
            if hasLeft { try await client.close() }
            for (number, gate) in gates.prefix(3).enumerated() {
                try await proxy.pass(.seconds(9))
                gate.open()
                try await RuledTraffic.keeps(number + 2, proxy)
            }
            if hasLeft {
                try await proxy.expire(.seconds(3))
            } else {
                try await proxy.expire(.seconds(3), client)
                #expect(try await client.read(through: "{   ").hasPrefix("HTTP/1.1 200 OK\r\n"))
                gates[3].open()
                #expect(try await client.read(count: 1) == [32])
            }
            let record = try await proxy.record()
            #expect(record.exchange.outcome == (hasLeft ? .cancelled : .completed), "\(record.failure)")
            #expect(record.exchange.rules.first?.note == Self.overdue)
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    @Test("What a client uploads does not prolong the wait for its response")
    func uploading() async throws {
        let gate = Gate()
        let origin = try await Self.origin([gate])
        try await Self.run(origin) { proxy, client, authority in
            let head = "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: 9\r\n\r\n"
            try await client.send("\(head)abc")
            try await RuledTraffic.keeps(1, proxy)
            try await proxy.pass(.seconds(6))
            try await client.send("def")
            _ = try await origin.connections("more of the request") { $0.first?.receivedText.hasSuffix("def") == true }
            try await proxy.expire(.seconds(4), client)
            #expect(try await client.read(through: "{").hasPrefix("HTTP/1.1 200 OK\r\n"))
            gate.open()
        }
    }

    @Test("A response is not held for so long that a shorter timeout would end its exchange")
    func shorter() async throws {
        let gate = Gate()
        try await Self.run(try await Self.origin([gate]), configure: { $0.firstByteTimeout = .seconds(5) }) {
            proxy,
            client,
            authority in
            try await client.send(Self.get(authority))
            try await RuledTraffic.keeps(1, proxy)
            try await proxy.expire(.seconds(5), client)
            #expect(try await client.read(through: "{").hasPrefix("HTTP/1.1 200 OK\r\n"))
            gate.open()
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .completed && record.exchange.rules.first?.note == Self.overdue)
        }
    }

    @Test("While the record has no room, the response that is not read is not silent")
    func paused() async throws {
        let gate = Gate()
        let sink = RecordingSink(.whenAsked)
        let text = String(repeating: "x", count: 1 << 20)
        let large = try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in
                let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
                return Array("\(head)\(text)".utf8)
            }
        )
        try await Self.run(try await Self.origin([gate]), sink) {
            $0.captureLimitBytes = 64 << 10
            $0.ruleBodyLimitBytes = 1 << 10
        } _: { proxy, client, authority in
            try await client.send(Self.get(authority))
            try await RuledTraffic.keeps(1, proxy)
            let other = try await proxy.connect()
            try await other.send(Self.get("127.0.0.1:\(large.port)"))
            try await proxy.pass(.zero, until: "the record to be full") {
                for loop in proxy.server.loops {
                    guard try await loop.eventLoop.submit({ loop.value.lane.isCongested }).get() else { return false }
                }
                return true
            }
            try await proxy.pass(.seconds(15))
            try await client.stays("hears nothing", for: .milliseconds(50)) { $0.unread.isEmpty && !$0.isEnded }
            sink.commit()
            #expect(try await other.response().body.count == text.utf8.count)
            _ = try await sink.ended()
            try await proxy.expire(.seconds(10), client)
            #expect(try await client.read(through: "{").hasPrefix("HTTP/1.1 200 OK\r\n"))
            gate.open()
            #expect(try await sink.ended(2).last?.exchange.rules.first?.note == Self.overdue)
        }
    }

    @Test(
        "Lines and parts that may go on for ever are not waited for",
        arguments: [
            "application/x-ndjson", "Application/JSON-Seq; a=b", "application/jsonl",
            "multipart/x-mixed-replace;boundary=a",
        ]
    )
    func endless(type: String) async throws {
        let gate = Gate()
        let origin = try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map {
                let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n"
                let steps = (Array("\(head)3\r\n{}\n\r\n".utf8), Array("0\r\n\r\n".utf8))
                return .init(consuming: $0.bytes.count, .send(steps.0), .held(gate), .send(steps.1))
            }
        }
        try await Self.run(origin) { proxy, client, authority in
            try await client.send(Self.get(authority))
            #expect(try await client.read(through: "{}\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
            gate.open()
            let record = try await proxy.record()
            #expect(record.exchange.rules.first?.note?.contains("the body is a stream") == true)
        }
    }

    @Test("Lines whose length is said are waited for")
    func finite() async throws {
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in
                Array(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 9\r\n\r\n\"secret\"\n"
                        .utf8
                )
            }
        )
        try await Self.run(origin) { proxy, client, authority in
            try await client.send(Self.get(authority))
            #expect(try await client.response().head.contains("X-Rule: 1\r\n"))
        }
    }

    @Test(
        "A body whose length is said is whole with its last byte, whether its stream ends or not",
        arguments: [true, false]
    )
    func unsaid(isReset: Bool) async throws {
        let gate = Gate()
        var tls = Certificates.server("good")
        tls.protocols = ["h2"]
        let fields = [(":status", "200"), ("content-type", "text/plain"), ("content-length", "6")]
        let frames = H2Frames.headers(fields, 0) + H2Frames.data("secret")
        let last = isReset ? H2Frames.frame(3, 0, [0, 0, 0, 0]) : []
        let origin = try await LoopbackOrigin.start(tls: tls) { unanswered in
            H2Frames.reply(to: unanswered) { came in
                came.contains { $0.type == 1 } ? [.send(frames), .held(gate), .send(last)] : nil
            }
        }
        try await Self.run(origin, configure: { $0.matchesProtocols = false }) { proxy, client, _ in
            let authority = "localhost:\(origin.port)"
            try await client.send("GET https://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            if isReset {
                gate.open()
            } else {
                try await proxy.pass(.milliseconds(100), until: "the response to be taken for whole") {
                    !proxy.sink.soFar.ended.isEmpty
                }
            }
            let response = try await client.response()
            #expect(response.text == "secret" && response.head.lowercased().contains("x-rule: 1\r\n"))
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .completed && record.exchange.rules.rules == ["secret"])
        }
        gate.open()
    }
}
