import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Fields that rules set, where what they concern is one connection only, and the answer that opens a WebSocket.
@Suite("Fields that rules set on the way", .timeLimit(.minutes(15)))
struct KeptFieldsTests {
    @Test("A field that a rule has set passes on although the peer names it in Connection; what no rule set does not")
    func named() async throws {
        let rules = [
            try RuledTraffic.rule(
                "trace",
                .request(try RuledTraffic.edit { $0.fields.set = [try RuledTraffic.field("X-Trace", "mine")] }),
                .response(try RuledTraffic.edit { $0.fields.set = [try RuledTraffic.field("X-B", "mine")] })
            )
        ]
        try await RuledTraffic.run(rules) { _ in
            "HTTP/1.1 200 OK\r\nConnection: keep-alive, x-b, X-C\r\nX-B: theirs\r\nX-C: 1\r\nContent-Length: 2\r\n\r\nok"
        } _: { proxy, origin, authority in
            let client = try await proxy.connect()
            for _ in 1...2 {
                try await client.send(
                    "GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nConnection: x-trace, X-Other\r\nX-Trace: a\r\nX-Other: b\r\n\r\n"
                )
                let response = try await client.response()
                #expect(response.head == "HTTP/1.1 200 OK\r\nX-B: mine\r\nContent-Length: 2\r\n\r\n")
            }
            let head = "GET / HTTP/1.1\r\nHost: \(authority)\r\nX-Trace: mine\r\n\r\n"
            #expect(origin.connections.map(\.receivedText) == [head + head])
        }
    }

    @Test("A field is kept that a rule sets to what it was")
    func same() async throws {
        let field = try RuledTraffic.field("X-Trace", "a")
        let rule = try RuledTraffic.rule("trace", .request(RuledTraffic.edit { $0.fields.set = [field] }))
        try await RuledTraffic.run([rule]) { proxy, origin, authority in
            let client = try await proxy.connect()
            let head = "GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n"
            try await client.send(head + "Connection: close, X-Trace\r\nX-Trace: a\r\n\r\n")
            let response = try await client.response()
            #expect(response.text == "ok" && response.head.contains("Connection: close"))
            #expect(origin.connections.first?.receivedText.contains("X-Trace: a\r\n") == true)
        }
    }

    @Test("A field for the proxy at the other end is not passed on, and the record says so")
    func login() async throws {
        let field = try RuledTraffic.field("Proxy-Authorization", "Basic eA==")
        let rule = try RuledTraffic.rule("login", .request(RuledTraffic.edit { $0.fields.set = [field] }))
        try await RuledTraffic.run([rule]) { proxy, origin, authority in
            let client = try await proxy.connect()
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            #expect(try await client.response().text == "ok")
            #expect(origin.connections.first?.receivedText.contains("Basic") == false)
            let notes = try await proxy.record().exchange.rules.compactMap(\.note)
            #expect(notes == ["skipped: proxy-authorization is for the proxy at the other end, and is not passed on"])
        }
    }

    private static let switching =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-A: 1\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"

    private static func opening(_ authority: String) -> String {
        "GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    }

    @Test(
        "The answer that opens a WebSocket is edited, unless that would break what its ends have agreed on",
        arguments: [
            (["x-a"], "X-A: 1\r\n", true), (["sec-websocket-*"], "Sec-WebSocket-Accept: ", false),
        ]
    )
    func webSocket(removed: [String], missing: String, isEdited: Bool) async throws {
        let hello = Frames.frame(1, Array("hello".utf8))
        let rule = try RuledTraffic.rule(
            "answer",
            when: "code:101",
            .response(
                try RuledTraffic.edit { edit in
                    edit.fields.remove = removed.map { NameGlob($0, ignoresCase: true) }
                    edit.fields.add = [try RuledTraffic.field("X-B", "2")]
                }
            )
        )
        let origin = try await LoopbackOrigin.start { unanswered in
            guard let end = unanswered.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
            return .init(consuming: end, .send(Array(Self.switching.utf8) + hello), .close)
        }
        let rules = RuleList([rule], now: 0)
        try await RunningProxy.run(configure: { $0.rules = rules }) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.opening("127.0.0.1:\(origin.port)"))
            let head = try await client.read(through: "\r\n\r\n")
            if isEdited {
                #expect(!head.contains(missing) && head.contains("X-B: 2\r\n\r\n"))
                #expect(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
            } else {
                #expect(head == Self.switching)
            }
            #expect(try await client.read(count: hello.count) == hello)
            _ = try await client.readToEnd()
            let record = try await proxy.record()
            #expect(record.exchange.rules.isModified == isEdited && record.exchange.rules.rules == ["answer"])
            #expect(record.responseHead == Self.switching)
            let note = record.exchange.rules.first?.note
            #expect(note == (isEdited ? nil : "skipped: the edit would break the opening of the WebSocket"))
        }
    }
}
