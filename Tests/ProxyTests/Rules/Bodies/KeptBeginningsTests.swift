import Dispatch
import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Bodies that one rule has kept, too long for it, and that another edits as they pass.
@Suite("Kept beginnings of bodies that are edited as they pass", .timeLimit(.minutes(15)))
struct KeptBeginningsTests {
    private static let rules = #"""
        [{"name": "asks", "when": "path:/long body:nowhere", "request": {"fields": {"set": {"X-A": "1"}}},
          "response": {"fields": {"set": {"X-A": "1"}}}},
         {"name": "edits", "when": "path:/long", "request": {"body": {"replace": {"find": "admin", "with": "nobody"}}},
          "response": {"body": {"replace": {"find": "admin", "with": "nobody"}}}}]
        """#

    /// Some 100 kB, and 20 in gzip.
    private static let text = (0..<8_000).map { "\($0 * 7_919 % 100_003) admin\n" }.joined()

    /// Bytes of a body that are kept before the rest comes.
    private static let first = 3_000

    /// An origin that sends no more than the first bytes of its answer before the gate is open.
    private static func play(
        _ answer: [UInt8],
        _ gate: Gate = Gate(),
        _ test: (RunningProxy, LoopbackOrigin, String) async throws -> Void
    ) async throws {
        let head = (answer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? 0) + first
        let script: LoopbackOrigin.Script = { unanswered in
            RawRequest(first: unanswered).map { request in
                let count = request.bytes.count
                guard request.target == "/long", answer.count > head else {
                    return .init(consuming: count, .send(Array(RuledTraffic.ok.utf8)))
                }
                return .init(
                    consuming: count,
                    .send(Array(answer[..<head])),
                    .held(gate),
                    .send(Array(answer[head...]))
                )
            }
        }
        try await RuledTraffic.play(rules, script) {
            $0.ruleBodyLimitBytes = 4_000
        } _: { proxy, origin, authority in
            try await test(proxy, origin, authority)
            #expect(try await proxy.sink.ended(1).allSatisfy { $0.exchange.outcome == .completed })
        }
    }

    @Test("The beginning of a coded response is edited on another thread, and the rest comes behind it")
    func response() async throws {
        let body = try RuledTraffic.coded(Self.text, "gzip")
        let fields = "Content-Type: text/plain\r\nContent-Encoding: gzip"
        let (gate, end) = (Gate(), DispatchSemaphore(value: 0))
        try await Self.play(RuledTraffic.message("HTTP/1.1 200 OK", fields, body: body), gate) { proxy, _, authority in
            for _ in 0..<2 { proxy.server.shared.workers.run(for: "busy") { end.wait() } }
            defer { for _ in 0..<2 { end.signal() } }
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/long") + RuledTraffic.request(authority, "/plain"))
            try await RuledTraffic.keeps(Self.first, proxy)
            gate.open()
            for _ in 0..<8 {
                let other = try await proxy.connect()
                try await other.send(RuledTraffic.request(authority, "/plain"))
                #expect(try await other.response().code == 200)
            }
            try await client.stays("waiting", for: .milliseconds(50)) { $0.unread.isEmpty && !$0.isEnded }
            for _ in 0..<2 { end.signal() }
            let text = RuledTraffic.text(try await client.response().body, "gzip")
            #expect(text == Self.text.replacing("admin", with: "nobody"))
            #expect(try await client.response().text == "ok")
            let exchange = try await proxy.sink.ended(10).first { $0.exchange.target == "/long" }?.exchange
            #expect(exchange?.rules.contains { $0.rule == "edits" && $0.what.hasSuffix("×8000") } == true)
        }
    }

    /// The requests that an origin got.
    private static func requests(_ origin: LoopbackOrigin) -> [RawRequest] {
        origin.connections.flatMap { connection in
            var (rest, requests) = (connection.received, [RawRequest]())
            while let next = RawRequest(first: rest) {
                requests.append(next)
                rest.removeFirst(next.bytes.count)
            }
            return requests
        }
    }

    @Test("So is that of a request, of which more comes meanwhile", arguments: ["identity", "gzip"], [true, false])
    func request(coding: String, comesAtOnce: Bool) async throws {
        let body = try RuledTraffic.coded(Self.text, coding)
        let end = DispatchSemaphore(value: 0)
        try await Self.play(Array(RuledTraffic.ok.utf8)) { proxy, origin, authority in
            for _ in 0..<2 { proxy.server.shared.workers.run(for: "busy") { end.wait() } }
            defer { for _ in 0..<2 { end.signal() } }
            let client = try await proxy.connect()
            let fields = coding == "identity" ? "" : "Content-Encoding: \(coding)\r\n"
            let head =
                "POST http://\(authority)/long HTTP/1.1\r\nHost: \(authority)\r\nContent-Type: text/plain\r\n\(fields)"
            try await client.send("\(head)Content-Length: \(body.count)\r\n\r\n")
            try await client.send(Array(body[..<Self.first]))
            // Of a request that waits two copies count.
            try await RuledTraffic.keeps(2 * Self.first, proxy)
            let step = comesAtOnce ? body.count : 3_000
            for start in stride(from: Self.first, to: body.count, by: step) {
                try await client.send(Array(body[start..<min(start + step, body.count)]))
            }
            // What came is read before these are answered.
            for _ in 0..<8 {
                let other = try await proxy.connect()
                try await other.send(RuledTraffic.request(authority, "/plain"))
                #expect(try await other.response().code == 200)
            }
            // A beginning that is coded waits for its edit.
            if coding == "gzip" { #expect(Self.requests(origin).allSatisfy { $0.target == "/plain" }) }
            for _ in 0..<2 { end.signal() }
            #expect(try await client.response().text == "ok")
            let seen = try #require(Self.requests(origin).first { $0.target == "/long" })
            #expect(RuledTraffic.text(seen.content, coding) == Self.text.replacing("admin", with: "nobody"))
            let record = try #require(try await proxy.sink.ended(9).first { $0.exchange.target == "/long" })
            #expect(record.requestBody == body)
            #expect(record.exchange.rules.contains { $0.rule == "edits" && $0.what.hasSuffix("×8000") })
        }
    }

    @Test("A beginning that decodes to far more than came goes on as it came, with all that follows")
    func bomb() async throws {
        // The first bytes in zstd are 48 MiB of zeros.
        let zeros = [UInt8](repeating: 0, count: 48 << 20)
        let noise = (0..<20_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) }
        let body = try #require(ContentEncoder.encode(zeros + noise, names: ["zstd"]))
        let gate = Gate()
        let answer = RuledTraffic.message("HTTP/1.1 200 OK", "Content-Encoding: zstd", body: body)
        try await Self.play(answer, gate) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/long"))
            try await RuledTraffic.keeps(Self.first, proxy)
            gate.open()
            let response = try await client.response()
            #expect(response.body == body && response.head.contains("Content-Length: \(body.count)\r\n"))
            let uses = try await proxy.record().exchange.rules.filter { $0.rule == "edits" }
            #expect(uses.contains { $0.note == "skipped: the body decodes to far more than came" }, "\(uses)")
        }
    }
}
