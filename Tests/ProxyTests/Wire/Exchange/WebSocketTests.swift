import NIOCore
import Proxy
import Support
import Testing
import Traffic

@Suite("WebSockets through the proxy, byte for byte", .timeLimit(.minutes(15)))
struct WebSocketTests {
    private static let fields =
        "Connection: keep-alive, UpGrade\r\nupgrade: WebSocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        + "Sec-WebSocket-Version: 13\r\nsec-websocket-extensions: permessage-deflate; client_max_window_bits\r\n"
    private static let switching = Array(
        ("HTTP/1.1 101 Web Socket Protocol Handshake\r\nUPGRADE: websocket\r\nconnection: Upgrade\r\nX-odd:  1\r\n"
            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n").utf8
    )
    private static let mask: [UInt8] = [0x11, 0x22, 0x33, 0x44]

    private static func request(_ port: Int) -> String {
        "GET http://127.0.0.1:\(port)/chat?x HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)\r\n"
    }

    /// An origin that takes the handshake, then does the steps given for what came since; a step is taken when all of its bytes are there.
    private func origin(
        tls: LoopbackOrigin.TLS? = nil,
        _ first: [UInt8] = [],
        then answers: [(expecting: [UInt8], steps: [LoopbackOrigin.Step])] = []
    ) async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(tls: tls) { unanswered in
            if unanswered.starts(with: Array("GET ".utf8)) {
                guard let end = unanswered.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
                return .init(consuming: end, .send(Self.switching + first))
            }
            guard let next = answers.first(where: { unanswered.starts(with: $0.expecting) }) else { return nil }
            var reply = LoopbackOrigin.Reply(consuming: next.expecting.count)
            reply.steps = next.steps
            return reply
        }
    }

    private func open(
        _ proxy: RunningProxy,
        _ port: Int,
        ahead: [UInt8] = [],
        holdsLittle: Bool = false
    ) async throws -> RawClient {
        let client = try await proxy.connect(holdsLittle: holdsLittle)
        try await client.send(Array(Self.request(port).utf8) + ahead)
        #expect(try await client.read(count: Self.switching.count) == Self.switching)
        return client
    }

    private static func close(_ code: UInt16, mask: [UInt8]? = nil) -> [UInt8] {
        Frames.frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)], mask: mask)
    }

    @Test("Handshake and frames pass as they came, ahead of time too, and messages are recorded; both close")
    func passes() async throws {
        let hello = Frames.frame(1, Array("hello".utf8))
        let early = Frames.frame(1, Array("ear".utf8), isFinal: false, mask: Self.mask)
        let late = Frames.frame(9, [1], mask: Self.mask) + Frames.frame(0, Array("ly".utf8), mask: [0, 0, 0, 0])
        let binary = Frames.frame(2, [0, 1, 2], mask: nil)
        let clientClose = Self.close(1_000, mask: Self.mask)
        let answer = Self.close(1_000)
        let origin = try await origin(
            hello,
            then: [
                (early + late, [.send(Frames.frame(10, [1]) + binary)]), (clientClose, [.send(answer), .halfClose]),
            ]
        )
        try await RunningProxy.run { proxy in
            let client = try await open(proxy, origin.port, ahead: early)
            #expect(try await client.read(count: hello.count) == hello)
            try await client.send(late)
            let more = Frames.frame(10, [1]) + binary
            #expect(try await client.read(count: more.count) == more)
            // The exchange is live: it is pending with its messages while it is open.
            let live = try await proxy.sink.told("the messages") { $0.messages.values.first?.count == 5 }
            #expect(live.ended.isEmpty && live.opened.count == 1)
            try await client.send(clientClose)
            #expect(try await client.readToEnd() == answer)
            #expect(client.soFar.error == nil)
            try await client.close()

            let seen = try await origin.connections("all of it") { $0.first?.isClientDone == true }
            let head =
                "GET /chat?x HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\(Self.fields)\r\n"
            #expect(seen.first?.received == Array(head.utf8) + early + late + clientClose)
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .completed && record.exchange.code == 101, "\(record.failure)")
            #expect(record.exchange.version == .webSocket && record.exchange.upstreamVersion == .webSocket)
            #expect(record.exchange.scheme == .ws && record.exchange.warnings == [])
            #expect(record.responseHead == String(decoding: Self.switching, as: UTF8.self))
            #expect(record.sentHead == head)
            #expect(record.messages.map(\.label) == ["text", "ping", "text", "pong", "binary", "close", "close"])
            #expect(record.messages.map(\.side.rawValue.first) == ["r", "r", "r", "r", "r", "r", "r"])
            #expect(
                record.messages.map { $0.side == .request }
                    == [false, true, true, false, false, true, false]
            )
            #expect(record.messages.compactMap(\.text).contains("early"))
            #expect(record.messages.suffix(2).map(\.status) == [1_000, 1_000])
            // The frames themselves are measured and digested, and kept as messages only.
            let sent = (early + late + clientClose).count
            #expect(record.exchange.request.body.length == Int64(sent) && record.requestBody == [])
            #expect(record.exchange.response?.body.sha256.count == 32 && record.responseBody == [])
        }
    }

    @Test("A client that ends its side before the handshake is answered has ended it on the WebSocket too")
    func endsAhead() async throws {
        let hello = Frames.frame(1, Array("hello".utf8), mask: Self.mask)
        let origin = try await origin()
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await proxy.holdingUp {
                try await client.send(Array(Self.request(origin.port).utf8) + hello)
                try await client.halfClose()
            }
            #expect(try await client.read(count: Self.switching.count) == Self.switching)
            let seen = try await origin.connections("the client's end") { $0.first?.isClientDone == true }
            #expect(seen.first?.received.suffix(hello.count) == hello[...])
        }
    }

    @Test("A WebSocket in TLS is the same, on an upstream connection that speaks HTTP/1.1")
    func secure() async throws {
        let text = Frames.frame(1, Array("secret".utf8), mask: Self.mask)
        let origin = try await origin(
            tls: Certificates.server("good"),
            then: [(text + Self.close(1_001, mask: Self.mask), [.send(Self.close(1_001)), .close])]
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.secureTunnel(to: origin.port)
            try await client.send("GET /s HTTP/1.1\r\nHost: localhost:\(origin.port)\r\n\(Self.fields)\r\n")
            #expect(try await client.read(count: Self.switching.count) == Self.switching)
            try await client.send(text + Self.close(1_001, mask: Self.mask))
            #expect(try await client.readToEnd() == Self.close(1_001))
            try await client.close()
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .completed && record.exchange.scheme == .wss, "\(record.failure)")
            #expect(record.messages.map(\.text) == ["secret", "", ""])
            #expect(origin.connections.count == 1, "The connection of the handshake is used")
        }
    }

    @Test("A refused upgrade is an ordinary exchange, and the connection serves the next one")
    func refused() async throws {
        let refusal = Array("HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno".utf8)
        let origin = try await LoopbackOrigin.start(script: RawRequest.answering { _ in refusal })
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            for _ in 0..<2 {
                try await client.send(Self.request(origin.port))
                #expect(try await client.read(count: refusal.count) == refusal)
            }
            let records = try await proxy.sink.ended(2)
            #expect(records.allSatisfy { $0.exchange.outcome == .completed && $0.exchange.code == 403 })
            #expect(records.allSatisfy { $0.exchange.version == .http11 && $0.exchange.scheme == .http })
            #expect(records.allSatisfy { $0.responseBody == Array("no".utf8) && $0.messages.isEmpty })
            #expect(origin.connections.count == 1)
        }
    }

    @Test(
        "Other upgrades stop at the proxy",
        arguments: [
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n",
            "Connection: Upgrade\r\nUpgrade: websocket, h2c\r\n", "Upgrade: websocket\r\n",
            "Connection: keep-alive\r\nUpgrade: websocket\r\n", "Connection: upgrade\r\nUpgrade: TLS/1.0\r\n",
        ]
    )
    func otherUpgrades(fields: String) async throws {
        let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
        let origin = try await LoopbackOrigin.start(script: RawRequest.answering { _ in ok })
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\(fields)\r\n"
            )
            #expect(try await client.read(count: ok.count) == ok)
            #expect(
                origin.connections.first?.receivedText
                    == "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            )
        }
    }

    @Test("A 101 that nobody asked for, or for another protocol, is a 502", arguments: [true, false])
    func unaskedSwitch(asks: Bool) async throws {
        let answer = Array(
            "HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: \(asks ? "other" : "websocket")\r\n\r\n".utf8
        )
        let origin = try await LoopbackOrigin.start(script: RawRequest.answering { _ in answer })
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                asks
                    ? Self.request(origin.port)
                    : "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            )
            #expect(try await client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 502 "))
            #expect(try await proxy.record().failure == "upstream wait protocol")
        }
    }

    @Test("The upstream closes first and ends at once: the client's answer is recorded and the end is proper")
    func upstreamCloses() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.suffix(4) == Array("\r\n\r\n".utf8) else { return nil }
            return .init(consuming: unanswered.count, .send(Self.switching + Self.close(1_012)), .halfClose)
        }
        // The client's answer comes before the time for it is over, however long the machine takes for it.
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await open(proxy, origin.port)
            #expect(try await client.read(count: 4) == Self.close(1_012))
            try await client.send(Self.close(1_012, mask: Self.mask))
            #expect(try await client.readToEnd() == [])
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .completed, "\(record.failure)")
            #expect(
                record.messages.map(\.side) == [.response, .request]
                    && record.messages.allSatisfy { $0.status == 1_012 }
            )
            let seen = try await origin.connections("the answer") { $0.first?.isClientDone == true }
            #expect(seen.first?.received.suffix(8) == Self.close(1_012, mask: Self.mask)[...])
        }
    }

    @Test(
        "An end without a close frame passes as an end, cancels where it is the client's, and is noted as 1006",
        arguments: [true, false]
    )
    func unclosed(byClient: Bool) async throws {
        let ask = Frames.frame(1, [0x61], mask: Self.mask)
        let answer = Frames.frame(1, [0x62])
        let gate = Gate()
        let origin = try await origin(
            then: [
                (ask, [.send(answer)] + (byClient ? [.held(gate), .send(answer)] : []) + [.halfClose])
            ]
        )
        try await RunningProxy.run { proxy in
            let client = try await open(proxy, origin.port)
            try await client.send(ask)
            #expect(try await client.read(count: 3) == answer)
            if byClient {
                try await client.halfClose()
                let seen = try await origin.connections("the client's end") { $0.first?.isClientDone == true }
                #expect(seen.first?.error == nil)
            }
            gate.open()
            #expect(try await client.readToEnd() == (byClient ? answer : []), "Half of the connection stays open")
            #expect(client.soFar.error == nil, "An end is no reset")
            let record = try await proxy.record()
            #expect(record.failure == (byClient ? "client deliver no-close-frame" : "none"))
            #expect(record.exchange.outcome == (byClient ? .cancelled : .completed))
            let notes = record.exchange.warnings + [record.exchange.failure?.message].compactMap { $0 }
            #expect(notes.count == 1 && notes.first?.contains("1006") == true, "\(notes)")
            #expect(record.messages.map(\.text) == (byClient ? ["a", "b", "b"] : ["a", "b"]))
        }
    }

    @Test("A reset of one side resets the other and is recorded with the side", arguments: [true, false])
    func breaks(byClient: Bool) async throws {
        let origin = try await origin(then: [(Frames.frame(1, [0x61], mask: Self.mask), [.reset])])
        try await RunningProxy.run { proxy in
            let client = try await open(proxy, origin.port)
            if byClient {
                try await client.reset()
                let seen = try await origin.connections("the break") { $0.first?.isClosed == true }
                #expect(seen.first?.error != nil)
                let record = try await proxy.record()
                #expect(record.exchange.outcome == .cancelled && record.exchange.failure?.side == .client)
            } else {
                try await client.send(Frames.frame(1, [0x61], mask: Self.mask))
                _ = try await client.readToEnd()
                #expect(client.soFar.error?.contains("reset") == true)
                #expect(try await proxy.record().failure == "upstream receive reset")
            }
        }
    }

    @Test(
        "An upstream that resets behind the client's close frame has ended it, with a warning; within a message it has cut it off",
        arguments: [true, false]
    )
    func resetsBehindClose(isWithinMessage: Bool) async throws {
        let clientClose = Self.close(1_000, mask: Self.mask)
        let message = Frames.frame(1, [UInt8](repeating: 0x62, count: 100))
        let part = isWithinMessage ? Array(message.prefix(50)) : message
        let gate = Gate()
        let origin = try await origin(then: [(clientClose, [.send(part), .held(gate), .reset])])
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await open(proxy, origin.port)
            try await client.send(clientClose)
            #expect(try await client.read(count: part.count) == part)
            gate.open()
            #expect(try await client.readToEnd() == [])
            #expect((client.soFar.error == nil) == !isWithinMessage)
            let record = try await proxy.record()
            #expect(record.exchange.outcome == (isWithinMessage ? .failed : .completed))
            #expect(record.failure == (isWithinMessage ? "upstream receive reset" : "none"))
            let sentence = "127.0.0.1:\(origin.port) reset the connection before the response was complete."
            #expect(record.exchange.warnings == (isWithinMessage ? [] : [sentence]))
        }
    }

    @Test("Bytes that are no WebSocket pass all the same, with a warning")
    func nonsense() async throws {
        let nonsense = Array("this is not a WebSocket at all".utf8)
        let origin = try await origin(nonsense, then: [(nonsense, [.send(nonsense), .close])])
        try await RunningProxy.run { proxy in
            let client = try await open(proxy, origin.port)
            #expect(try await client.read(count: nonsense.count) == nonsense)
            try await client.send(nonsense)
            #expect(try await client.readToEnd() == nonsense)
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .completed && record.messages.isEmpty, "\(record.failure)")
            #expect(record.exchange.warnings.count == 2)
        }
    }

    @Test("A client that does not read stalls the upstream, and gets every byte in the end")
    func backpressure() async throws {
        let piece = Frames.frame(2, [UInt8](repeating: 7, count: 1 << 20))
        let origin = try await LoopbackOrigin.start(holdsLittle: true) { unanswered in
            guard unanswered.suffix(4) == Array("\r\n\r\n".utf8) else { return nil }
            return .init(
                consuming: unanswered.count,
                .send(Self.switching),
                .stream(piece, times: 32),
                .send(Self.close(1_000))
            )
        }
        try await RunningProxy.run(configure: { $0.messageLimitBytes = 100 }) { proxy in
            let client = try await open(proxy, origin.port, holdsLittle: true)
            try await client.setReading(false)
            _ = try await origin.connections("some of it taken") { ($0.first?.sentBytes ?? 0) > 1 << 20 }
            let stalled = try await origin.settled({ $0.first?.sentBytes }, for: .milliseconds(500))
            #expect((stalled.first?.sentBytes ?? 0) < 24 << 20, "more than buffers hold")
            try await client.setReading(true)
            _ = try await client.read(count: piece.count * 32 + 4, within: .seconds(60))
            try await client.send(Self.close(1_000, mask: Self.mask))
            try await client.close()
            let record = try await proxy.record()
            #expect(record.messages.count == 34 && record.messages.dropLast(2).allSatisfy { $0.size == 1 << 20 })
            #expect(record.messages.allSatisfy { $0.payload.readableBytes <= 100 })
        }
    }

    @Test("A recorded WebSocket is not sent again: a replay says so")
    func replay() async throws {
        let origin = try await origin(then: [(Self.close(1_000, mask: Self.mask), [.send(Self.close(1_000)), .close])])
        try await RunningProxy.run { proxy in
            let client = try await open(proxy, origin.port)
            try await client.send(Self.close(1_000, mask: Self.mask))
            _ = try await client.readToEnd()
            let original = try await proxy.record().exchange
            let error = try await #require(throws: ReplayError.self) {
                _ = try await proxy.server.replay(ReplayRequest(original: original, body: []))
            }
            #expect(error.description.contains("is a WebSocket"))
        }
    }
}
