import Foundation
import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// What becomes of exchanges that may go on for ever when the proxy stops: it waits for none that rests, and breaks none of those off.
@Suite(.timeLimit(.minutes(15)))
struct StoppedStreamTests {
    private static let switching = Array(
        ("HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n").utf8
    )
    private static let mask: [UInt8] = [1, 2, 3, 4]
    private static let goingAway: [UInt8] = [3, 0xE9]
    /// RST_STREAM with CANCEL, of the first stream.
    private static let cancel = H2Frames.frame(3, 0, [0, 0, 0, 8])

    /// Asks a proxy whose clock stands still to come to its end, until nothing is open.
    private static func stop(_ proxy: RunningProxy) async throws {
        // A client's machine may take a moment to say that it has what was written.
        try await proxy.pass(.zero, until: "nothing to be open") { try await proxy.drain() == 0 }
    }

    /// Sees to it that both connections were closed and not reset.
    private static func expectProperEnds(_ client: RawClient, _ origin: LoopbackOrigin) async throws {
        #expect(try await client.readToEnd() == [] && client.soFar.error == nil, "\(client.soFar)")
        try await expectProperEnd(origin)
    }

    /// Sees an exchange go on while it has rested for less than a time, then end and both connections with it; what is recorded of it.
    @discardableResult
    private static func expectGivenUp(
        as failure: String = "proxy receive shutdown",
        after rest: Duration,
        _ client: RawClient,
        _ origin: LoopbackOrigin,
        _ proxy: RunningProxy
    ) async throws -> RecordingSink.Ended {
        try await proxy.pass(rest - .milliseconds(1))
        #expect(try await proxy.drain() == 1 && proxy.sink.soFar.ended.isEmpty)
        try await proxy.pass(.milliseconds(1))
        _ = try await proxy.drain()
        let record = try await proxy.record()
        #expect(record.failure == failure)
        try await stop(proxy)
        try await expectProperEnds(client, origin)
        return record
    }

    private static func expectProperEnd(_ origin: LoopbackOrigin) async throws {
        let seen = try await origin.connections("the end of its connection") { $0.first?.isClientDone == true }
        #expect(seen.first?.error == nil)
    }

    // MARK: What a stop counts

    @Test("A stop counts the exchanges that it ends as failed, and neither their connections nor those that have ended")
    func counts() async throws {
        let origin = try await LoopbackOrigin.start { H2Frames.reply(to: $0) }
        let sink = RecordingSink()
        // Open until the stop has ended.
        var opened: RawClient?
        let count = try await RunningProxy.run(sink) { proxy in
            let client = try await proxy.connect()
            opened = client
            let fields = [
                (":method", "GET"), (":scheme", "http"), (":authority", "127.0.0.1:\(origin.port)"), (":path", "/"),
            ]
            try await client.send(H2Frames.opening + H2Frames.headers(fields, H2Frames.endStream))
            _ = try await origin.connections("the request") { connections in
                H2Frames.read(Array(connections.first?.received.dropFirst(24) ?? [])).contains { $0.type == 1 }
            }
        }
        withExtendedLifetime(opened) {}
        #expect(count == 1 && sink.soFar.ended.map(\.failure) == ["proxy wait shutdown"])
    }

    // MARK: Requests sent ahead

    @Test("Behind the answer to a request that a stopping proxy still waits for, none begins that was sent ahead")
    func sentAhead() async throws {
        let gate = Gate()
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.suffix(4) == Array("\r\n\r\n".utf8) else { return nil }
            return .init(consuming: unanswered.count, .held(gate), .send(answer))
        }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let host = "127.0.0.1:\(origin.port)"
            try await client.send(
                ["/1", "/2"].map { "GET http://\(host)\($0) HTTP/1.1\r\nHost: \(host)\r\n\r\n" }.joined()
            )
            _ = try await origin.connections("the first request") { $0.first?.received.isEmpty == false }
            #expect(try await proxy.drain() == 1)
            gate.open()
            let seen = String(decoding: try await client.readToEnd(), as: UTF8.self)
            #expect(seen.components(separatedBy: "HTTP/1.1 200 OK\r\n").count == 2 && seen.hasSuffix("ok"), "\(seen)")
            #expect(seen.contains("Connection: close\r\n"), "\(seen)")
            #expect(try await proxy.sink.ended(1).map(\.exchange.outcome) == [.completed])
        }
    }

    // MARK: Event streams

    /// An upstream that answers with an event, and once the gate is open with another and its end.
    private static func origin(_ gate: Gate) async throws -> LoopbackOrigin {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        let first = Array("\(head)9\r\ndata: 1\n\n\r\n".utf8)
        let last = Array("9\r\ndata: 2\n\n\r\n0\r\n\r\n".utf8)
        return try await LoopbackOrigin.start { unanswered in
            guard unanswered.suffix(4) == Array("\r\n\r\n".utf8) else { return nil }
            return .init(consuming: unanswered.count, .send(first), .held(gate), .send(last))
        }
    }

    /// A client that has the first event.
    private static func ask(_ proxy: RunningProxy, _ origin: LoopbackOrigin) async throws -> RawClient {
        let client = try await proxy.connect()
        let host = "127.0.0.1:\(origin.port)"
        try await client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        _ = try await client.read(through: "data: 1\n\n\r\n")
        return client
    }

    @Test("An event stream of which nothing comes ends with its connections, and the client sees that it was not whole")
    func events() async throws {
        let gate = Gate()
        let origin = try await Self.origin(gate)
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await Self.ask(proxy, origin)
            // No last chunk comes: that would say that this was all.
            let record = try await Self.expectGivenUp(after: .seconds(1), client, origin, proxy)
            #expect(record.messages.map(\.text) == ["1"])
        }
        gate.open()
    }

    @Test("An event stream that goes on while the proxy stops may come to its own end")
    func lastEvents() async throws {
        let gate = Gate()
        let origin = try await Self.origin(gate)
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await Self.ask(proxy, origin)
            try await proxy.pass(.milliseconds(999))
            #expect(try await proxy.drain() == 1)
            gate.open()
            _ = try await client.read(through: "0\r\n\r\n")
            let record = try await proxy.record()
            #expect(record.failure == "none" && record.messages.map(\.text) == ["1", "2"])
            try await Self.stop(proxy)
            try await Self.expectProperEnds(client, origin)
        }
    }

    @Test("An event stream whose client is slow to read does not rest, and is not given up")
    func stalledEvents() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        let event = "data: \(String(repeating: "x", count: 0xFFF8))\n\n"
        let chunk = Array("10000\r\n\(event)\r\n".utf8)
        let origin = try await LoopbackOrigin.start(holdsLittle: true) { unanswered in
            guard unanswered.suffix(4) == Array("\r\n\r\n".utf8) else { return nil }
            return .init(consuming: unanswered.count, .send(Array(head.utf8)), .stream(chunk, times: 1_000))
        }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect(holdsLittle: true)
            try await client.setReading(false)
            let host = "127.0.0.1:\(origin.port)"
            try await client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            _ = try await origin.connections("its events taken") { ($0.first?.sentBytes ?? 0) > 0 }
            // A machine with other work may give the proxy no time for a while: that looks like a client that takes nothing.
            _ = try await origin.settled({ $0.first?.sentBytes }, for: .seconds(2))
            try await proxy.pass(.seconds(1))
            #expect(try await proxy.drain() == 1)
            try await proxy.sink.stays("no row", for: .milliseconds(50)) { $0.ended.isEmpty }
            try await client.reset()
            #expect(try await proxy.record().failure.hasPrefix("client deliver "))
        }
    }

    @Test("An event stream on a stream of HTTP/2 is given up on both sides, and does not end as if it were whole")
    func eventsOnStream() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            H2Frames.reply(to: unanswered) { frames in
                guard frames.contains(where: { $0.type == 1 }) else { return nil }
                let head = H2Frames.headers([(":status", "200"), ("content-type", "text/event-stream")], 0)
                return [.send(head + H2Frames.data("data: 1\n\n"))]
            }
        }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            let fields = [(":method", "GET"), (":scheme", "http"), (":authority", authority), (":path", "/")]
            try await client.send(H2Frames.opening + H2Frames.headers(fields, H2Frames.endStream))
            _ = try await client.read("the event") { bytes in
                H2Frames.read(bytes).contains { $0.type == 0 } ? bytes.count : nil
            }
            try await proxy.pass(.seconds(1))
            _ = try await proxy.drain()
            #expect(try await proxy.record().failure == "proxy receive shutdown")
            try await Self.stop(proxy)
            let frames = H2Frames.read(try await client.readToEnd()).filter { $0.stream == 1 }
            #expect(frames.map(\.type) == [3] && frames.first?.payload == [0, 0, 0, 8], "\(frames)")
            #expect(client.soFar.error == nil)
            _ = try await origin.connections("the stream's reset") { connections in
                connections.first?.received.firstRange(of: Self.cancel) != nil
            }
            try await Self.expectProperEnd(origin)
        }
    }

    // MARK: WebSockets

    /// An upstream that takes the handshake, and answers a close frame in what follows where it is to.
    private static func origin(answers: Bool) async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start { unanswered in
            if unanswered.starts(with: Array("GET ".utf8)) {
                guard let end = unanswered.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
                return .init(consuming: end, .send(switching))
            }
            guard answers, closeCode(unanswered[...]) != nil else { return nil }
            return .init(consuming: unanswered.count, .send(Frames.frame(8, goingAway)), .halfClose)
        }
    }

    /// The payload of a masked close frame with a code; `nil` where there is none.
    private static func closeCode(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard let start = bytes.firstRange(of: [0x88, 0x82])?.upperBound, bytes.endIndex >= start + 6 else {
            return nil
        }
        return [bytes[start] ^ bytes[start + 4], bytes[start + 1] ^ bytes[start + 5]]
    }

    /// What an upstream has had behind the handshake.
    private static func frames(_ connection: LoopbackOrigin.Connection?) -> ArraySlice<UInt8> {
        guard let received = connection?.received else { return [] }
        return received[(received.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? received.endIndex)...]
    }

    private static func open(_ proxy: RunningProxy, _ origin: LoopbackOrigin) async throws -> RawClient {
        let client = try await proxy.connect()
        let host = "127.0.0.1:\(origin.port)"
        try await client.send(
            "GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        #expect(try await client.read(count: switching.count) == switching)
        return client
    }

    private static let text = Frames.frame(1, Array("hello".utf8), mask: mask)

    /// A client in the midst of a frame; the upstream has the part that was sent.
    private static func openMidFrame(_ proxy: RunningProxy, _ origin: LoopbackOrigin) async throws -> RawClient {
        let client = try await open(proxy, origin)
        try await client.send(Array(text.prefix(3)))
        _ = try await origin.connections("a part of the frame") { frames($0.first).count == 3 }
        return client
    }

    /// Takes the proxy's close frame and answers it, in a WebSocket whose upstream answers too, and sees it end.
    private static func expectClose(_ client: RawClient, _ origin: LoopbackOrigin, _ proxy: RunningProxy) async throws {
        #expect(try await client.read(count: 4) == Frames.frame(8, goingAway))
        try await client.send(Frames.frame(8, goingAway, mask: mask))
        let record = try await proxy.record()
        #expect(record.exchange.outcome == .completed, "\(record.failure)")
        #expect(record.exchange.warnings == ["The proxy was stopped, and closed the WebSocket (close code 1001)."])
        let closes = record.messages.filter { $0.label == "close" }
        #expect(Set(closes.map(\.side)) == [.request, .response] && closes.map(\.status) == [1_001, 1_001])
        try await stop(proxy)
        try await expectProperEnds(client, origin)
        #expect(closeCode(frames(origin.connections.first)) == goingAway)
    }

    @Test("Both sides of a WebSocket are told that their other is going away, and it ends when both have answered")
    func webSocket() async throws {
        let origin = try await Self.origin(answers: true)
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await Self.open(proxy, origin)
            _ = try await proxy.drain()
            try await Self.expectClose(client, origin, proxy)
            #expect(Self.frames(origin.connections.first).count == 8, "The client's answer is not passed on")
        }
    }

    @Test("A close frame does not come into the midst of another frame")
    func midFrame() async throws {
        let origin = try await Self.origin(answers: true)
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await Self.openMidFrame(proxy, origin)
            #expect(try await proxy.drain() == 1)
            try await client.stays("without a close frame", for: .milliseconds(50)) { $0.unread.isEmpty }
            try await client.send(Array(Self.text.dropFirst(3)))
            _ = try await origin.connections("the whole of it") { Self.frames($0.first).count == Self.text.count }
            _ = try await proxy.drain()
            try await Self.expectClose(client, origin, proxy)
            #expect(Self.frames(origin.connections.first).starts(with: Self.text))
        }
    }

    @Test("A frame whose rest does not come is waited for no longer than the bytes of a tunnel")
    func halfFrame() async throws {
        let origin = try await Self.origin(answers: true)
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await Self.openMidFrame(proxy, origin)
            try await Self.expectGivenUp(after: .seconds(1), client, origin, proxy)
        }
    }

    @Test("One that its upstream has closed and its client has ended is complete, and is waited for no longer either")
    func closedAndLeft() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            guard let end = unanswered.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
            return .init(consuming: end, .send(Self.switching + Frames.frame(8, Self.goingAway)))
        }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await Self.open(proxy, origin)
            #expect(try await client.read(count: 4) == Frames.frame(8, Self.goingAway))
            try await client.halfClose()
            _ = try await origin.connections("the client's end") { $0.first?.isClientDone == true }
            let record = try await Self.expectGivenUp(as: "none", after: .milliseconds(250), client, origin, proxy)
            #expect(record.exchange.outcome == .completed && record.exchange.warnings == [])
        }
    }

    @Test(
        "A stream that its upstream does not end behind its close frame is waited for no longer, and reset then",
        arguments: [false, true]
    )
    func endlessStream(isAnswered: Bool) async throws {
        // SETTINGS_ENABLE_CONNECT_PROTOCOL.
        let settings: [UInt8] = [0, 8, 0, 0, 0, 1]
        let origin = try await LoopbackOrigin.start { unanswered in
            H2Frames.reply(to: unanswered, settings: settings) { frames in
                guard frames.contains(where: { $0.type == 1 }) else { return nil }
                let close = H2Frames.frame(0, 0, Frames.frame(8, Self.goingAway))
                return [.send(H2Frames.headers([(":status", "200")], 0) + close)]
            }
        }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let fields = [
                (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"),
                (":authority", "127.0.0.1:\(origin.port)"), (":path", "/"), ("sec-websocket-version", "13"),
            ]
            try await client.send(H2Frames.opening + H2Frames.headers(fields, 0))
            _ = try await client.read("the close frame") { bytes in
                H2Frames.read(bytes).contains { $0.type == 0 } ? bytes.count : nil
            }
            let answer = isAnswered ? Frames.frame(8, Self.goingAway, mask: Self.mask) : []
            try await client.send(H2Frames.frame(0, H2Frames.endStream, answer))
            _ = try await origin.connections("the client's end") { connections in
                H2Frames.read(Array(connections.first?.received.dropFirst(24) ?? []))
                    .contains { $0.type == 0 && $0.flags & H2Frames.endStream == 1 }
            }
            _ = try await proxy.drain()
            if !isAnswered {
                try await proxy.pass(.milliseconds(250))
                _ = try await proxy.drain()
            }
            let record = try await proxy.record()
            #expect(record.failure == "none" && record.exchange.outcome == .completed)
            try await proxy.pass(.milliseconds(249))
            #expect(try await proxy.drain() > 0)
            try await proxy.pass(.milliseconds(1))
            try await Self.stop(proxy)
            _ = try await origin.connections("the stream's reset") { connections in
                connections.first?.received.firstRange(of: Self.cancel) != nil
            }
            try await Self.expectProperEnd(origin)
            _ = try await client.readToEnd()
            #expect(client.soFar.error == nil)
        }
    }

    @Test("Sides that do not answer are waited for no longer than for any last word")
    func unanswered() async throws {
        let origin = try await Self.origin(answers: false)
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await Self.open(proxy, origin)
            _ = try await proxy.drain()
            #expect(try await client.read(count: 4) == Frames.frame(8, Self.goingAway))
            _ = try await origin.connections("a close frame") { Self.closeCode(Self.frames($0.first)) != nil }
            try await Self.expectGivenUp(after: .milliseconds(250), client, origin, proxy)
        }
    }
}
