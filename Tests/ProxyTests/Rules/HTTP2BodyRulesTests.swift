import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Rules that edit bodies on streams of HTTP/2, on both sides of the proxy.
@Suite("Rules that edit bodies in HTTP/2", .timeLimit(.minutes(15)))
struct HTTP2BodyRulesTests {
    private static let body = #"{"role": "admin"}"#

    /// An origin that answers each request, once it is whole, with the same JSON, and says how long that is.
    private static func origin(
        _ steps: [LoopbackOrigin.Step] = [],
        length: Int = body.utf8.count
    ) async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start { unanswered in
            H2Frames.reply(to: unanswered) { frames in
                guard frames.contains(where: { $0.type == 0 && $0.flags & H2Frames.endStream == 1 }) else {
                    return nil
                }
                let fields = [
                    (":status", "200"), ("content-type", "application/json"), ("content-length", "\(length)"),
                ]
                let head = H2Frames.headers(fields, 0)
                return steps.isEmpty
                    ? [.send(head + H2Frames.data(body, H2Frames.endStream))] : [.send(head)] + steps
            }
        }
    }

    private static func post(_ origin: LoopbackOrigin, _ path: String, _ body: String) -> [UInt8] {
        let fields = [
            (":method", "POST"), (":scheme", "http"), (":authority", "127.0.0.1:\(origin.port)"), (":path", path),
            ("content-type", "application/json"), ("content-length", "\(body.utf8.count)"),
        ]
        return H2Frames.opening + H2Frames.headers(fields, 0) + pieces(body)
    }

    /// The content among some frames.
    private static func content(_ bytes: [UInt8]) -> String {
        String(decoding: H2Frames.read(bytes).filter { $0.type == 0 }.flatMap(\.payload), as: UTF8.self)
    }

    private static func answer(_ client: RawClient) async throws -> [UInt8] {
        try await client.read("the end of the stream") { bytes in
            H2Frames.read(bytes).contains { $0.type == 0 && $0.flags & H2Frames.endStream == 1 } ? bytes.count : nil
        }
    }

    private static func received(_ origin: LoopbackOrigin) -> String {
        content(Array(origin.connections.first?.received.dropFirst(24) ?? []))
    }

    private static let edits = #"""
        [{"name": "whole", "when": "path:/whole", "request": {"body": {"json": {"set": {"$.role": "nobody"}}}},
          "response": {"body": {"json": {"set": {"$.role": "visitor"}}}}},
         {"name": "stream", "when": "path:/stream", "request": {"body": {"replace": {"find": "admin", "with": "nobody"}}},
          "response": {"body": {"replace": {"find": "admin", "with": "visitor"}}}}]
        """#

    @Test(
        "Both bodies of a stream are edited, whole with an exact length and on their way without one",
        arguments: ["/whole", "/stream"]
    )
    func both(path: String) async throws {
        let origin = try await Self.origin()
        let rules = RuleList(try RuledTraffic.rules(Self.edits), now: 0)
        try await RunningProxy.run(configure: { $0.rules = rules }) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.post(origin, path, Self.body))
            #expect(Self.content(try await Self.answer(client)) == #"{"role": "visitor"}"#)
            #expect(Self.received(origin) == #"{"role": "nobody"}"#)
            let record = try await proxy.record()
            #expect(record.exchange.upstreamVersion == .http2 && record.exchange.outcome == .completed)
            #expect(record.requestBody == Array(Self.body.utf8))
            #expect(record.responseBody == Array(#"{"role": "visitor"}"#.utf8))
            let sent = [record.sentHead, record.exchange.response?.sentHead.map { String(buffer: $0) }]
            let length = path == "/whole" ? ["content-length: 18\r\n", "content-length: 19\r\n"] : [nil, nil]
            #expect(
                sent.map { head in
                    head?.split(separator: "\r\n").first { $0.hasPrefix("content-length") }.map { "\($0)\r\n" }
                } == length
            )
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    /// More than the window that streams and connections have at first, and what opens it wide.
    private static let long = #"{"role": "admin", "pad": "\#(String(repeating: "x", count: 100_000))"}"#
    private static let window = [UInt8]([0, 1, 0, 0])
    private static let windows = H2Frames.frame(8, 0, window) + H2Frames.frame(8, 0, stream: 0, window)

    /// A long content in frames, the last of which ends the stream.
    private static func pieces(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.utf8.count, by: 10_000).flatMap { start in
            let isLast = start + 10_000 >= text.utf8.count
            return H2Frames.data(
                String(decoding: text.utf8.dropFirst(start).prefix(10_000), as: UTF8.self),
                isLast ? H2Frames.endStream : 0
            )
        }
    }

    @Test("A rule answers an upload whose length is said once that is whole, and a stream without a length at once")
    func answered() async throws {
        let rules = RuleList(try RuledTraffic.rules(#"[{"name": "stub", "respond": {"text": "mine"}}]"#), now: 0)
        let authority = "127.0.0.1:\(try await LoopbackOrigin.start { _ in nil }.port)"
        try await RunningProxy.run(configure: { $0.rules = rules }) { proxy in
            for length in ["4", nil] {
                let fields = [
                    (":method", "POST"), (":scheme", "http"), (":authority", authority), (":path", "/"),
                ]
                let client = try await proxy.connect()
                let more = length.map { [("content-length", $0)] } ?? []
                try await client.send(H2Frames.opening + H2Frames.headers(fields + more, 0) + H2Frames.data("ab"))
                if length != nil {
                    try await client.stays("without an answer", for: .milliseconds(200)) { inbox in
                        !H2Frames.read(inbox.unread).contains { $0.type == 1 }
                    }
                    try await client.send(H2Frames.data("cd", H2Frames.endStream))
                }
                #expect(Self.content(try await Self.answer(client)) == "mine")
            }
        }
    }

    @Test("A kept response has its room until its client takes it, or leaves", arguments: [false, true])
    func unread(isLeft: Bool) async throws {
        let origin = try await Self.origin([.send(Self.pieces(Self.long))], length: Self.long.utf8.count)
        let rules = RuleList(try RuledTraffic.rules(Self.edits), now: 0)
        try await RunningProxy.run(configure: { $0.rules = rules }) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.post(origin, "/whole", Self.body))
            #expect(try await proxy.record().exchange.outcome == .completed)
            _ = try await client.read("the first window") { $0.count >= 65_535 ? 0 : nil }
            try await RuledTraffic.keeps(Self.long.utf8.count + 2, proxy)
            if isLeft {
                try await client.reset()
            } else {
                try await client.send(Self.windows)
                #expect(Self.content(try await Self.answer(client)).hasPrefix(#"{"role": "visitor", "pad""#))
            }
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    @Test("A request that was held has its room until its upstream takes it")
    func untaken() async throws {
        let gate = Gate()
        let origin = try await LoopbackOrigin.start { unanswered in
            H2Frames.reply(to: unanswered) { frames in
                if frames.contains(where: { $0.type == 0 && $0.flags & H2Frames.endStream == 1 }) {
                    return [.send(H2Frames.headers([(":status", "204")], H2Frames.endStream))]
                }
                return frames.contains { $0.type == 1 } ? [.held(gate), .send(Self.windows)] : nil
            }
        }
        let rules = RuleList(try RuledTraffic.rules(Self.edits), now: 0)
        try await RunningProxy.run(configure: { $0.rules = rules }) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.post(origin, "/whole", Self.long))
            _ = try await origin.connections("the first window") { ($0.first?.receivedBytes ?? 0) > 65_535 }
            // With what the edit has made it longer.
            try await RuledTraffic.keeps(Self.long.utf8.count + 1, proxy)
            gate.open()
            #expect(try await proxy.record().exchange.code == 204)
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    @Test("A stream that is reset within an edited body is reset for the client too")
    func cut() async throws {
        let cut = H2Frames.data(#"{"role""#) + H2Frames.frame(3, 0, [0, 0, 0, 2])
        let origin = try await Self.origin([.send(cut)])
        let rules = RuleList(try RuledTraffic.rules(Self.edits), now: 0)
        try await RunningProxy.run(configure: { $0.rules = rules }) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.post(origin, "/stream", Self.body))
            let frames = H2Frames.read(
                try await client.read("the reset") { bytes in
                    H2Frames.read(bytes).contains { $0.type == 3 } ? bytes.count : nil
                }
            )
            #expect(!frames.contains { $0.type == 0 && $0.flags & H2Frames.endStream == 1 })
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .failed && record.failure.hasPrefix("upstream receive reset"))
        }
    }
}
