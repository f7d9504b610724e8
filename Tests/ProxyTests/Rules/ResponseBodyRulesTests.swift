import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Rules that edit whole bodies of responses: JSON, text and regular expressions.
@Suite("Rules that edit whole responses", .timeLimit(.minutes(15)))
struct ResponseBodyRulesTests {
    private static let document =
        #"{"total": 3 ,"items":[{"id":72057594038268329,"role":"admin","w":0.0},{"role":"admin"}], "ssn":"1"}"#
    private static let guests = #"""
        [{"name": "guests", "when": "path:/users type:json", "response": {"body": {"json":
            {"set": {"$.items[*].role": "guest"}, "remove": ["$.ssn"]}}}}]
        """#
    private static let edited = document.replacing(#""admin""#, with: #""guest""#)
        .replacing(#", "ssn":"1""#, with: "")

    @Test(
        "JSON changes by span in each coding, with an exact length; what no rule touches passes byte for byte",
        arguments: ["identity", "gzip", "deflate", "br", "zstd"]
    )
    func codings(coding: String) async throws {
        let body = try RuledTraffic.coded(Self.document, coding)
        let answer = RuledTraffic.message(
            "HTTP/1.1 200 OK",
            "Content-Type: application/json",
            coding == "identity" ? "" : "content-encoding:  \(coding)",
            body: body
        )
        try await RuledTraffic.play(Self.guests, RawRequest.answering { _ in answer }) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/users"))
            let response = try await client.response()
            #expect(RuledTraffic.text(response.body, coding) == Self.edited)
            let head = String(decoding: answer.dropLast(body.count), as: UTF8.self)
            #expect(
                response.head
                    == head.replacing("Length: \(body.count)\r\n", with: "Length: \(response.body.count)\r\n")
            )
            let record = try await proxy.record()
            #expect(record.responseBody == response.body && record.responseHead == head)
            #expect(record.exchange.response?.sentHead.map { String(buffer: $0) } == response.head)
            #expect(record.exchange.rules.first?.what == "$.items[*].role ×2, $.ssn removed")
            #expect(record.exchange.rules.isModified && record.exchange.rules.first?.note == nil)

            try await client.send(RuledTraffic.request(authority, "/other"))
            #expect(try await client.read(count: answer.count) == answer)
            #expect(try await proxy.sink.ended(2).last?.exchange.rules == [])
        }
    }

    @Test("A body in chunks stays so, with its trailers; one that ends with its connection gets a length")
    func framings() async throws {
        let size = String(Self.document.utf8.count, radix: 16)
        try await RuledTraffic.play(
            Self.guests,
            { unanswered in
                RawRequest(first: unanswered).map { request in
                    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                    guard request.target.hasSuffix("chunked") else {
                        let text = head + "\r\n" + Self.document
                        return .init(consuming: request.bytes.count, .send(Array(text.utf8)), .close)
                    }
                    let chunks = "\(size)\r\n\(Self.document)\r\n0\r\nX-T: 1\r\n\r\n"
                    let text = head + "Transfer-Encoding: chunked\r\n\r\n" + chunks
                    return .init(consuming: request.bytes.count, .send(Array(text.utf8)))
                }
            }
        ) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/users/chunked"))
            let chunked = try await client.response()
            #expect(chunked.text == Self.edited && chunked.trailers == "X-T: 1\r\n")
            #expect(!chunked.head.contains("Length"))
            try await client.send(RuledTraffic.request(authority, "/users/close"))
            let closed = try await client.response()
            #expect(closed.text == Self.edited && closed.head.contains("Content-Length: \(Self.edited.utf8.count)\r\n"))
            #expect(try await proxy.sink.ended(2).allSatisfy { $0.responseBody == Array(Self.edited.utf8) })
        }
    }

    @Test("A rule that changes nothing of a body lets the bytes pass that came, coded as they came")
    func same() async throws {
        let body = try RuledTraffic.coded(#"{"items": []}"#, "gzip")
        let answer = RuledTraffic.message(
            "HTTP/1.1 200 OK",
            "Content-Type: application/json",
            "Content-Encoding: gzip",
            body: body
        )
        try await RuledTraffic.play(Self.guests, RawRequest.answering { _ in answer }) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/users"))
            #expect(try await client.read(count: answer.count) == answer)
            #expect(try await proxy.record().exchange.rules.isModified == false)
        }
    }

    @Test("A body that is too long, or breaks off, passes as it came, and the record says that the rule was skipped")
    func skipped() async throws {
        let long = Self.document + String(repeating: " ", count: 2 << 20)
        let answer = RuledTraffic.message(
            "HTTP/1.1 200 OK",
            "Content-Type: application/json",
            body: Array(long.utf8)
        )
        try await RuledTraffic.play(
            Self.guests,
            { unanswered in
                RawRequest(first: unanswered).map { request in
                    let isCut = request.target == "/users/cut"
                    var reply = LoopbackOrigin.Reply(consuming: request.bytes.count)
                    reply.steps = isCut ? [.send(Array(answer.prefix(300))), .close] : [.send(answer)]
                    return reply
                }
            },
            configure: { $0.ruleBodyLimitBytes = 1 << 20 }
        ) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/users"))
            #expect(try await client.read(count: answer.count) == answer)
            try await client.send(RuledTraffic.request(authority, "/users/cut"))
            #expect(try await client.readToEnd() == Array(answer.prefix(300)))
            let records = try await proxy.sink.ended(2)
            let notes = ["skipped: body over 1 MiB", "skipped: the response broke off"]
            #expect(records.map { $0.exchange.rules.first?.note } == notes)
            #expect(records.map(\.exchange.outcome) == [.completed, .failed])
            #expect(records.map(\.responseBody.count).first == long.utf8.count)
            #expect(!records.contains { $0.exchange.rules.isModified })
        }
    }

    @Test(
        "Responses without a body of their own keep their heads, and the record says that the rule was skipped",
        arguments: [("HEAD", 200), ("GET", 204), ("GET", 304), ("GET", 206)]
    )
    func bare(method: String, code: Int) async throws {
        let hasBody = code == 206
        let head =
            "HTTP/1.1 \(code) X\r\nContent-Type: application/json\r\n\(code == 204 ? "" : "Content-Length: 2\r\n")\r\n"
        try await RuledTraffic.play(
            #"[{"name": "text", "response": {"body": {"text": "longer than before"}}}]"#,
            RawRequest.answering { _ in Array((head + (hasBody ? "{}" : "")).utf8) }
        ) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/", method: method))
            let response = try await client.response(to: method)
            #expect(response.head == head && response.text == (hasBody ? "{}" : ""))
            let uses = try await proxy.record().exchange.rules
            #expect(uses.count == 1 && uses.first?.note?.hasPrefix("skipped: ") == true && !uses.isModified)
        }
    }

    @Test("A rule's own answer is edited as an upstream's is")
    func stub() async throws {
        let rules = #"""
            [{"name": "stub", "respond": {"json": {"role": "admin"}}},
             {"name": "whole", "when": "type:json", "response": {"body": {"json": {"set": {"$.role": "guest"}}}}},
             {"name": "stream", "when": "query:stream", "response": {"body": {"append": "\n"}}}]
            """#
        try await RuledTraffic.play(rules, { _ in nil }) { proxy, origin, authority in
            let client = try await proxy.connect()
            for (path, end) in [("/", ""), ("/?stream", "\n")] {
                try await client.send(RuledTraffic.request(authority, path))
                let response = try await client.response()
                #expect(response.text == #"{"role":"guest"}"# + end)
                #expect(response.head.contains("Content-Length: \(response.body.count)\r\n"))
            }
            #expect(origin.connections.isEmpty)
            let uses = try await proxy.sink.ended(2).last?.exchange.rules
            #expect(uses?.map(\.what) == ["200", "$.role", "appended"])
        }
    }

    @Test("A held response whose client leaves is recorded as far as it came, and the rule as skipped")
    func left() async throws {
        let gate = Gate()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{}"
        try await RuledTraffic.play(
            Self.guests,
            { unanswered in
                RawRequest(first: unanswered).map {
                    .init(consuming: $0.bytes.count, .send(Array(head.utf8)), .held(gate))
                }
            }
        ) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/users"))
            _ = try await proxy.sink.told("the response") {
                $0.opened.values.first?.response != nil || $0.opened.count == 1
            }
            try await client.stays("hears nothing", for: .milliseconds(200)) { $0.unread.isEmpty }
            try await client.close()
            let record = try await proxy.record()
            #expect(record.responseBody == [123, 125] && record.exchange.outcome == .cancelled)
            #expect(record.exchange.rules.map(\.note) == ["skipped: the body did not come whole"])
            gate.open()
        }
    }
}
