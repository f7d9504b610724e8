import Foundation
import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Faults of rules: exactly what the client gets, and that the record has the same.
@Suite("Rules that have responses fail", .timeLimit(.minutes(15)))
struct FaultRulesTests {
    private static let plain =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n0123456789"
    private static let chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n"

    private static func fault(_ kind: ResponseFault.Kind) -> RuleAction { .fault(ResponseFault(kind)) }

    private static func get(_ authority: String, _ path: String = "/", method: String = "GET") -> String {
        "\(method) http://\(authority)\(path) HTTP/1.1\r\nHost: \(authority)\r\n\r\n"
    }

    /// What a client gets to the end of its connection, and the record of that.
    private static func got(
        _ kind: ResponseFault.Kind,
        answer: String = plain,
        _ check: (String, RawClient.Inbox, RecordingSink.Ended) throws -> Void
    ) async throws {
        try await RuledTraffic.run([try RuledTraffic.rule("break", fault(kind))], answer: { _ in answer }) {
            proxy,
            _,
            authority in
            let client = try await proxy.connect()
            try await client.send(get(authority))
            let bytes = try await client.readToEnd()
            try check(String(decoding: bytes, as: UTF8.self), client.soFar, try await proxy.record())
        }
    }

    @Test("A response that is cut has so many bytes and ends with its connection", arguments: [plain, chunked])
    func cut(answer: String) async throws {
        try await Self.got(.cut(at: 4), answer: answer) { text, inbox, record in
            let isChunked = answer == Self.chunked
            let head = answer.components(separatedBy: "\r\n\r\n")[0]
            #expect(text == head + "\r\n\r\n" + (isChunked ? "4\r\n0123\r\n" : "0123") && inbox.error == nil)
            #expect(record.failure == "proxy receive rule" && record.exchange.outcome == .failed)
            #expect(record.responseBody == Array("0123".utf8) && record.exchange.code == 200)
            #expect(record.exchange.rules.sentence == "break (cut after 4 bytes)")
            #expect(record.exchange.failure?.message.contains("The rule 'break'") == true)
        }
    }

    @Test("Only the status comes, and the record has no more as sent")
    func statusOnly() async throws {
        try await Self.got(.statusOnly) { text, inbox, record in
            #expect(text == "HTTP/1.1 200 OK\r\n" && inbox.error == nil)
            #expect(record.exchange.response?.sentHead.map { String(buffer: $0) } == text)
            #expect(record.failure == "proxy receive rule" && record.responseBody == [])
        }
    }

    @Test("A reset comes in place of the response, whose status the failure names, or in its midst")
    func reset() async throws {
        try await Self.got(.reset(at: nil)) { text, inbox, record in
            #expect(text == "" && inbox.error?.contains("reset") == true)
            #expect(record.failure == "proxy wait rule" && record.exchange.code == nil)
            #expect(record.exchange.response == nil)
            #expect(record.exchange.failure?.message.hasSuffix("The upstream had answered 200.") == true)
        }
        try await Self.got(.reset(at: 4)) { text, inbox, record in
            #expect(!text.contains("4") && inbox.error?.contains("reset") == true)
            #expect(record.failure == "proxy receive rule" && record.responseBody == Array("0123".utf8))
        }
    }

    @Test(
        "A false length is told, whatever the response says itself, and the connection ends behind the body",
        arguments: [
            (plain, Int64?.none, "Content-Length: 11"), (plain, 4, "Content-Length: 4"),
            (chunked, nil, "Content-Length: 1073741824"),
        ]
    )
    func badLength(answer: String, length: Int64?, line: String) async throws {
        try await Self.got(.badLength(length), answer: answer) { text, _, record in
            let parts = text.components(separatedBy: "\r\n\r\n")
            #expect(parts.count == 2 && parts.last == "0123456789")
            #expect(parts[0].contains("\r\n\(line)\r\n") && parts[0].contains("Connection: close"))
            #expect(!parts[0].contains("chunked"))
            #expect(record.failure == "proxy receive rule" && record.responseBody == Array("0123456789".utf8))
        }
    }

    @Test("One byte is turned over, in what the client gets and in the record, and the exchange goes on")
    func corrupt() async throws {
        let rules = [try RuledTraffic.rule("break", Self.fault(.corrupt(at: 2)))]
        try await RuledTraffic.run(rules, answer: { _ in Self.plain }) { proxy, _, authority in
            let client = try await proxy.connect()
            for _ in 0..<2 {
                try await client.send(Self.get(authority))
                #expect(try await client.response().body == Array("01".utf8) + [0xCD] + Array("3456789".utf8))
            }
            let records = try await proxy.sink.ended(2)
            #expect(records.allSatisfy { $0.exchange.outcome == .completed && $0.responseBody[2] == 0xCD })
            #expect(records.allSatisfy { $0.exchange.rules.isModified })
        }
    }

    @Test("A stall and a drip take their time, and every byte comes")
    func slow() async throws {
        let rules = [
            try RuledTraffic.rule(
                "stall",
                when: "path:/stall",
                Self.fault(.stall(at: 4, microseconds: 300_000))
            ),
            try RuledTraffic.rule(
                "drip",
                when: "path:/drip",
                Self.fault(.drip(bytes: 2, microseconds: 60_000))
            ),
        ]
        try await RuledTraffic.run(rules, answer: { _ in Self.plain }) { proxy, _, authority in
            let client = try await proxy.connect()
            let stalled = ContinuousClock.now
            try await client.send(Self.get(authority, "/stall"))
            #expect(try await client.read(through: "0123").hasSuffix("\r\n\r\n0123"))
            #expect(try await client.read(count: 6) == Array("456789".utf8))
            #expect(stalled.duration(to: .now) >= .milliseconds(300))
            let dripped = ContinuousClock.now
            try await client.send(Self.get(authority, "/drip"))
            #expect(try await client.response().text == "0123456789")
            #expect(dripped.duration(to: .now) >= .milliseconds(240))
            #expect(try await proxy.sink.ended(2).allSatisfy { $0.exchange.outcome == .completed })
        }
    }

    @Test("Every tenth response fails, and the same ones in every run, while the rule's throttle holds for all")
    func everyTenth() async throws {
        var throttle = RuleThrottle()
        throttle.down = ByteRate(kilobits: 100_000)
        var fault = ResponseFault(.cut(at: 4))
        fault.limits.every = 10
        let rule = try RuledTraffic.rule("wifi", .throttle(throttle), .fault(fault))
        for _ in 0..<2 {
            try await RuledTraffic.run([rule], answer: { _ in Self.plain }) { proxy, _, authority in
                for _ in 0..<20 {
                    let client = try await proxy.connect()
                    try await client.send(Self.get(authority))
                    _ = try? await client.response()
                }
                let records = try await proxy.sink.begun(20)
                let failed = records.indices.filter { records[$0].exchange.outcome == .failed }
                #expect(failed == [9, 19])
                #expect(records.allSatisfy { $0.exchange.rules.rules == ["wifi"] })
                #expect(records.filter { $0.exchange.rules.isModified }.count == 2)
            }
        }
    }

    @Test("A stub fails too; a response without a body, or too short a one, passes, and the record says why")
    func stub() async throws {
        let answer = RuleAnswers([try RuledTraffic.answer(200, "0123456789")])
        let rules = [
            try RuledTraffic.rule("stub", when: "path:/stub", .respond(answer)),
            try RuledTraffic.rule("break", Self.fault(.cut(at: 4))),
        ]
        try await RuledTraffic.run(rules) { proxy, origin, authority in
            let client = try await proxy.connect()
            try await client.send(Self.get(authority, "/short"))
            #expect(try await client.response().text == "ok")
            try await client.send(Self.get(authority, method: "HEAD"))
            #expect(try await client.response(to: "HEAD").code == 200)
            try await client.send(Self.get(authority, "/stub"))
            let stub = String(decoding: try await client.readToEnd(), as: UTF8.self)
            #expect(stub.hasSuffix("\r\n\r\n0123"))
            let records = try await proxy.sink.ended(3)
            #expect(records[..<2].allSatisfy { $0.exchange.outcome == .completed && !$0.exchange.rules.isModified })
            #expect(records[0].exchange.rules.first?.note == "skipped: the response is too short for it")
            #expect(records[2].exchange.rules.rules == ["stub", "break"] && records[2].exchange.upstream == nil)
            #expect(origin.connections.count == 1)
        }
    }

    // MARK: HTTP/2

    private struct Seen: Decodable {
        let status: String?
        let length: String?
        let body: String
        let end: String
        let seconds: Double
    }

    @Test("In HTTP/2 a stream is cut or reset by RST_STREAM and others live on; delays and lines hold for each stream")
    func streams() async throws {
        let rules = [
            try RuledTraffic.rule("cut", when: "path:/cut", Self.fault(.cut(at: 4))),
            try RuledTraffic.rule("status", when: "path:/status", Self.fault(.statusOnly)),
            try RuledTraffic.rule("reset", when: "path:/reset", Self.fault(.reset(at: nil))),
            try RuledTraffic.rule("length", when: "path:/length", Self.fault(.badLength(nil))),
            try RuledTraffic.rule("flip", when: "path:/corrupt", Self.fault(.corrupt(at: 9))),
            try RuledTraffic.rule("slow", when: "path:/slow", .delay(RuleDelay(.response, 300_000...300_000))),
        ]
        try await RuledTraffic.run(rules, tls: Certificates.server("good"), answer: { _ in Self.plain }) {
            $0.matchesProtocols = false
        } _: { proxy, origin, _ in
            let paths = ["/cut", "/status", "/reset", "/length", "/corrupt", "/slow", "/plain"]
            let arguments = ["\(proxy.port)", proxy.rootFile, "\(origin.port)"] + paths
            let seen: [Seen] = try await PythonPeer.run("faults.py", arguments)
            #expect(seen.map(\.end) == ["reset 8", "reset 8", "reset 8", "end", "end", "end", "end"])
            #expect(seen.map(\.status) == ["200", "200", nil, "200", "200", "200", "200"])
            #expect(seen.map(\.body) == ["0123", "", "", "0123456789", "012345678\u{C6}", "0123456789", "0123456789"])
            #expect(seen.map(\.length) == ["10", nil, nil, "11", "10", "10", "10"])
            #expect(seen[5].seconds >= 0.29)
            let records = try await proxy.sink.begun(7)
            #expect(
                records.map(\.failure) == [
                    "proxy receive rule", "proxy receive rule", "proxy wait rule", "proxy receive rule", "none",
                    "none", "none",
                ]
            )
        }
    }
}
