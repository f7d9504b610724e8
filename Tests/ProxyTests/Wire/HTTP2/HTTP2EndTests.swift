import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// Clients of HTTP/1 and upstreams of HTTP/2 that say late, or never, that their response was all.
@Suite(.timeLimit(.minutes(15)))
struct HTTP2EndTests {
    /// A frame of HTTP/2.
    private static func frame(_ kind: UInt8, flags: UInt8 = 0, stream: UInt8 = 1, _ payload: [UInt8] = []) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), kind, flags, 0, 0, 0, stream] + payload
    }

    /// The status 200, or 204, and a Content-Length where there is one.
    private static func head(_ length: String?) -> [UInt8] {
        guard let length else { return frame(1, flags: 4, [0x89]) }
        return frame(1, flags: 4, [0x88, 0x0F, 0x0D, UInt8(length.utf8.count)] + Array(length.utf8))
    }

    /// An origin that answers the first request, once all of it is there, with some frames, and says no more until the gate is open.
    private static func origin(_ frames: [UInt8], _ gate: Gate, then last: [UInt8]) async throws -> LoopbackOrigin {
        var tls = Certificates.server("good")
        tls.protocols = ["h2"]
        return try await LoopbackOrigin.start(tls: tls) { unanswered in
            H2Frames.reply(to: unanswered) { came in
                // Trailers are a HEADERS frame as well, and may come later than the head.
                guard came.contains(where: { $0.type <= 1 && $0.flags & H2Frames.endStream != 0 }) else { return nil }
                return [.send(frames), .held(gate), .send(last)]
            }
        }
    }

    private static let cases: [(method: String, frames: [UInt8], body: String)] = [
        ("GET", head("5") + frame(0, Array("hello".utf8)), "hello"), ("HEAD", head("5"), ""), ("GET", head(nil), ""),
    ]

    private func ask(_ method: String, _ origin: LoopbackOrigin) -> String {
        let authority = "localhost:\(origin.port)"
        return "\(method) https://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n"
    }

    @Test("A client has the whole response only when it is recorded, though the stream ends later", arguments: 0..<3)
    func late(number: Int) async throws {
        let example = Self.cases[number]
        let gate = Gate()
        let origin = try await Self.origin(example.frames, gate, then: Self.frame(0, flags: 1))
        try await RunningProxy.run(clock: TestClock(), configure: { $0.matchesProtocols = false }) { proxy in
            let client = try await proxy.connect()
            try await client.send(ask(example.method, origin))
            _ = try await origin.connections("its answer sent") { ($0.first?.sent.count ?? 0) > 9 }
            try await client.stays("without the whole response", for: .milliseconds(100)) { inbox in
                let text = String(decoding: inbox.unread, as: UTF8.self)
                return example.body.isEmpty ? text.isEmpty : !text.contains(example.body)
            }
            #expect(proxy.sink.soFar.ended.isEmpty)
            gate.open()
            #expect(try await client.response(to: example.method).text == example.body)
            let record = try await proxy.record()
            #expect(record.failure == "none" && record.exchange.warnings == [])
        }
    }

    @Test("An end that does not come is not waited for long, and said to be missing", arguments: 0..<3)
    func missing(number: Int) async throws {
        let example = Self.cases[number]
        let gate = Gate()
        let origin = try await Self.origin(example.frames, gate, then: [])
        try await RunningProxy.run(clock: TestClock(), configure: { $0.matchesProtocols = false }) { proxy in
            let client = try await proxy.connect()
            try await client.send(ask(example.method, origin))
            _ = try await origin.connections("its answer sent") { ($0.first?.sent.count ?? 0) > 9 }
            try await proxy.pass(.milliseconds(100), until: "the response to be taken for whole") {
                !proxy.sink.soFar.ended.isEmpty
            }
            #expect(try await client.response(to: example.method).text == example.body)
            let record = try await proxy.record()
            #expect(record.failure == "none" && record.exchange.outcome == .completed)
            #expect(record.exchange.warnings.contains { $0.contains("did not end its stream") })
            // RST_STREAM with CANCEL: the stream is not kept.
            _ = try await origin.connections("the stream's reset") { connections in
                connections.first?.received.firstRange(of: Self.frame(3, [0, 0, 0, 8])) != nil
            }
        }
        gate.open()
    }

    @Test(
        "A stream that is reset behind its whole content, or whose connection ends there, has ended",
        arguments: [true, false]
    )
    func resetBehind(isReset: Bool) async throws {
        let gate = Gate()
        let example = Self.cases[0]
        // RST_STREAM with NO_ERROR, or GOAWAY with an error and no further word.
        let last = isReset ? Self.frame(3, [0, 0, 0, 0]) : Self.frame(7, stream: 0, [0, 0, 0, 0, 0, 0, 0, 2])
        let origin = try await Self.origin(example.frames, gate, then: last)
        try await RunningProxy.run(clock: TestClock(), configure: { $0.matchesProtocols = false }) { proxy in
            let client = try await proxy.connect()
            try await client.send(ask(example.method, origin))
            _ = try await origin.connections("its answer sent") { ($0.first?.sent.count ?? 0) > 9 }
            gate.open()
            if !isReset {
                try await proxy.pass(.milliseconds(100), until: "an end") { !proxy.sink.soFar.ended.isEmpty }
            }
            #expect(try await client.response().text == example.body)
            let record = try await proxy.record()
            #expect(record.failure == "none" && record.exchange.warnings.count == 1)
        }
    }

    @Test("A stream whose upstream has answered, and never takes the last of its request, is not kept for ever")
    func untaken() async throws {
        // What the window of a stream lets go, which is not opened.
        let windowBytes = 65_535
        var tls = Certificates.server("good")
        tls.protocols = ["h2"]
        let origin = try await LoopbackOrigin.start(tls: tls) { unanswered in
            H2Frames.reply(to: unanswered) { frames in
                let content = frames.filter { $0.type == 0 }
                guard content.reduce(0, { $0 + $1.payload.count }) == windowBytes else { return nil }
                return [.send(Self.frame(1, flags: 5, [0x89]))]
            }
        }
        try await RunningProxy.run(clock: TestClock(), configure: { $0.matchesProtocols = false }) { proxy in
            let client = try await proxy.connect()
            let authority = "localhost:\(origin.port)"
            let body = String(repeating: "x", count: windowBytes + 100)
            try await client.send(
                "POST https://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            #expect(try await client.response().code == 204)
            #expect(try await proxy.record().exchange.outcome == .completed)
            try await proxy.pass(.seconds(60), until: "the stream's reset") {
                origin.connections.first?.received.firstRange(of: Self.frame(3, [0, 0, 0, 8])) != nil
            }
        }
    }

    @Test("An upstream that breaks the rules on a stream is not said to have reset it", arguments: [true, false])
    func reset(isReset: Bool) async throws {
        // RST_STREAM with CANCEL, or content before its head.
        let frames = isReset ? Self.frame(3, [0, 0, 0, 8]) : Self.frame(0, Array("hello".utf8))
        let gate = Gate()
        let origin = try await Self.origin(frames, gate, then: [])
        try await RunningProxy.run(clock: TestClock(), configure: { $0.matchesProtocols = false }) { proxy in
            let client = try await proxy.connect()
            try await client.send(ask("GET", origin))
            #expect(try await client.response().code == 502)
            let what = isReset ? "reset the stream (CANCEL)" : "broke the rules of HTTP/2 on the stream, which was"
            let message = try await proxy.record().exchange.failure?.message ?? ""
            #expect(message.hasPrefix("localhost:\(origin.port) \(what)"), "\(message)")
        }
        gate.open()
    }

    @Test(
        "The stream of a malformed response is reset for that, and of one that is only not taken as no longer wanted",
        arguments: [true, false]
    )
    func malformed(isMalformed: Bool) async throws {
        let fields = isMalformed ? [("X-Test", "upper case")] : [("x", "1"), ("x", "2"), ("x", "3")]
        let gate = Gate()
        let frames = H2Frames.headers([(":status", "200")] + fields, 0)
        let origin = try await Self.origin(frames, gate, then: [])
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.matchesProtocols = false
                $0.fieldLimitCount = 3
            }
        ) { proxy in
            let client = try await proxy.connect()
            try await client.send(ask("GET", origin))
            #expect(try await client.response().code == 502)
            let seen = try await origin.connections("the stream's reset") { connections in
                H2Frames.read(Array(connections.first?.received.dropFirst(24) ?? [])).contains { $0.type == 3 }
            }
            let reset = H2Frames.read(Array(seen.first?.received.dropFirst(24) ?? [])).first { $0.type == 3 }
            // PROTOCOL_ERROR, or CANCEL.
            #expect(reset?.payload == [0, 0, 0, isMalformed ? 1 : 8])
        }
        gate.open()
    }

    @Test("Bytes in a field that are no UTF-8 are told of on the exchange")
    func replacedBytes() async throws {
        let gone = try RefusingPort()
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            // GET and http by the static table, the authority and the path in letters, and a field "x" of one byte.
            let authority = Array("127.0.0.1:\(gone.port)".utf8)
            let fields: [UInt8] =
                [0x82, 0x86, 0x01, UInt8(authority.count)] + authority + [0x04, 1, 0x2F, 0x00, 1, 0x78, 1, 0xFF]
            let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
            try await client.send(preface + Self.frame(4, stream: 0) + Self.frame(1, flags: 5, fields))
            let record = try await proxy.record()
            #expect(record.exchange.warnings.contains { $0.contains("U+FFFD") }, "\(record.exchange.warnings)")
        }
        withExtendedLifetime(gone) {}
    }

    /// A field of HTTP/1 with a byte that is no UTF-8.
    private static let odd = Array("X: caf".utf8) + [0xE9, 13, 10]

    private static func warnings(_ record: RecordingSink.Ended, of side: String) -> Int {
        record.exchange.warnings.count { $0.hasPrefix("The \(side) has fields with bytes that are no UTF-8") }
    }

    @Test("Bytes in a field of HTTP/1 that are no UTF-8 are told of where they go to HTTP/2", arguments: [false, true])
    func rewrittenRequest(inTrailers: Bool) async throws {
        let gate = Gate()
        gate.open()
        let origin = try await Self.origin(Self.head(nil), gate, then: Self.frame(0, flags: 1))
        try await RunningProxy.run(configure: { $0.matchesProtocols = false }) { proxy in
            let client = try await proxy.connect()
            let authority = "localhost:\(origin.port)"
            let head = "POST https://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nTransfer-Encoding: chunked\r\n"
            let (end, content) = (Array("\r\n".utf8), Array("0\r\n".utf8))
            let rest = inTrailers ? [end, content, Self.odd, end] : [Self.odd, end, content, end]
            try await client.send(Array(head.utf8) + rest.flatMap { $0 })
            #expect(try await client.response().code == 204)
            let record = try await proxy.record()
            #expect(Self.warnings(record, of: "request") == 1, "\(record.exchange.warnings)")
        }
    }

    @Test(
        "The same of a response, but not of its reason phrase, which does not go on",
        arguments: ["head", "interim", "trailers", "reason"]
    )
    func rewrittenResponse(place: String) async throws {
        func odd(in other: String) -> [UInt8] { place == other ? Self.odd : [] }
        let (line, end) = (Array("HTTP/1.1 200 caf".utf8), Array("\r\n".utf8))
        let interim = Array("HTTP/1.1 103 Early Hints\r\n".utf8) + odd(in: "interim") + end
        let reason: [UInt8] = place == "reason" ? [0xE9] : []
        let fields = Array("Transfer-Encoding: chunked\r\n".utf8) + odd(in: "head") + end
        let content = Array("0\r\n".utf8) + odd(in: "trailers") + end
        let answer = interim + line + reason + end + fields + content
        let origin = try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            script: RawRequest.answering { _ in answer }
        )
        try await RunningProxy.run(configure: { $0.matchesProtocols = false }) { proxy in
            let client = try await proxy.tunnel(to: origin.port)
            try await client.startTLS(name: "localhost", trusting: proxy.rootFile, protocols: ["h2"])
            let authority = "localhost:\(origin.port)"
            let head = [(":method", "GET"), (":scheme", "https"), (":authority", authority), (":path", "/")]
            try await client.send(H2Frames.opening + H2Frames.headers(head, H2Frames.endStream))
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .completed, "\(record.failure)")
            let count = place == "reason" ? 0 : 1
            #expect(Self.warnings(record, of: "response") == count, "\(record.exchange.warnings)")
        }
    }
}
