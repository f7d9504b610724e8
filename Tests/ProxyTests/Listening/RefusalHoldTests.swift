import NIOEmbedded
import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

/// Who is refused before there is an exchange learns of it when the row is committed, as with the end of a response.
@Suite(.timeLimit(.minutes(15)))
struct RefusalHoldTests {
    /// What a client of SOCKS says at once, and the last that it is told.
    enum Refusal: CaseIterable {
        case noMethod, noSOCKS, noConnection, ourselves, refused

        func said(ownPort: Int, refusingPort: Int) -> [UInt8] {
            func connect(_ command: UInt8, to port: Int) -> [UInt8] {
                [5, 1, 0, 5, command, 0, 1, 127, 0, 0, 1, UInt8(port >> 8), UInt8(port & 0xFF)]
            }
            return switch self {
            case .noMethod: [5, 1, 2]
            case .noSOCKS: Array("GET / HTTP/1.1\r\n\r\n".utf8)
            case .noConnection: connect(2, to: refusingPort)
            case .ourselves: connect(1, to: ownPort)
            case .refused: connect(1, to: refusingPort)
            }
        }

        /// What is told at once: that no login is asked for.
        var greeting: [UInt8] { self == .noMethod || self == .noSOCKS ? [] : [5, 0] }

        var answer: [UInt8] {
            switch self {
            case .noMethod, .noSOCKS: [5, 0xFF]
            case .noConnection: [5, 7, 0, 1, 0, 0, 0, 0, 0, 0]
            case .ourselves: [5, 2, 0, 1, 0, 0, 0, 0, 0, 0]
            case .refused: [5, 5, 0, 1, 0, 0, 0, 0, 0, 0]
            }
        }
    }

    @Test("A client of SOCKS is refused when that is committed", arguments: Refusal.allCases)
    func socks(refusal: Refusal) async throws {
        let port = try RefusingPort()
        try await RunningProxy.run(
            RecordingSink(.whenAsked),
            clock: TestClock(),
            configure: WaysInTests.listening(.socks5(nil))
        ) { proxy in
            let client = try await proxy.connect()
            try await client.send(refusal.said(ownPort: proxy.port, refusingPort: port.port))
            #expect(try await client.read(count: refusal.greeting.count) == refusal.greeting)
            _ = try await proxy.sink.ended()
            // A proxy that stops waits for it too, and counts it once.
            #expect(try await proxy.drain() == 1)
            try await client.stays("without an answer", for: .milliseconds(100)) { $0.unread == [] && !$0.isEnded }
            proxy.sink.commit()
            #expect(try await client.readToEnd() == refusal.answer && client.soFar.error == nil)
        }
        withExtendedLifetime(port) {}
    }

    @Test(
        "A client of SOCKS that leaves in the midst of the handshake leaves a row, however it ends; one that says nothing leaves none",
        arguments: [[5], [5, 1, 0], [5, 1, 0, 5, 1]] as [[UInt8]],
        [true, false]
    )
    func leaves(said: [UInt8], isReset: Bool) async throws {
        try await RunningProxy.run(configure: WaysInTests.listening(.socks5(nil))) { proxy in
            let silent = try await proxy.connect()
            if isReset { try await silent.reset() } else { try await silent.close() }
            let client = try await proxy.connect()
            try await client.send(said)
            if said.count > 2 { #expect(try await client.read(count: 2) == [5, 0]) }
            // What a reset overtakes is not read.
            if said.count != 3 { for _ in 1...2 { try await proxy.server.beat() } }
            if isReset { try await client.reset() } else { try await client.halfClose() }
            let record = try await proxy.record()
            #expect(record.failure == "client request closed" && record.exchange.method == "")
        }
    }

    @Test("A commit that does not return in time does not keep a client of SOCKS from its answer")
    func late() async throws {
        try await RunningProxy.run(
            RecordingSink(.whenAsked),
            clock: TestClock(),
            configure: WaysInTests.listening(.socks5(nil))
        ) { proxy in
            let client = try await proxy.connect()
            try await client.send([5, 1, 2])
            _ = try await proxy.sink.ended()
            try await proxy.expire(.seconds(1), client)
            #expect(try await client.readToEnd() == [5, 0xFF])
            // The record is told that it was late.
            proxy.sink.commit()
            let told = try await proxy.sink.told("what was late") { !$0.late.isEmpty }
            #expect(told.late.map(\.count) == [1] && proxy.server.figures.lateCount == 1)
        }
    }

    @Test("A commit that fails does not keep a client of SOCKS from its answer")
    func failing() async throws {
        try await RunningProxy.run(
            RecordingSink(.failing),
            clock: TestClock(),
            configure: WaysInTests.listening(.socks5(nil))
        ) { proxy in
            let client = try await proxy.connect()
            try await client.send([5, 1, 2])
            #expect(try await client.readToEnd() == [5, 0xFF])
            #expect(try await proxy.record().failure == "client request socks-method")
        }
    }

    @Test("A handshake that has no protocol to agree on is refused when that is committed")
    func noProtocol() async throws {
        let origin = try await LoopbackOrigin.start(tls: Certificates.server("good")) { _ in nil }
        try await RunningProxy.run(RecordingSink(.whenAsked), clock: TestClock()) { proxy in
            let client = try await proxy.tunnel(to: origin.port)
            async let handshake: Void = {
                let error = await #expect(throws: RawClient.Closed.self) {
                    try await client.startTLS(name: "localhost", trusting: nil, protocols: ["imap"])
                }
                #expect(error?.inbox.error?.contains("ALERT_NO_APPLICATION_PROTOCOL") == true, "\(error?.inbox as Any)")
            }()
            #expect(try await proxy.record().failure == "client tls no-application-protocol")
            #expect(try await proxy.drain() == 1)
            try await client.stays("without an alert", for: .milliseconds(100)) { !$0.isEnded }
            proxy.sink.commit()
            await handshake
        }
    }

    @Test(
        "A client of another machine that may not come in is told so when that is committed",
        arguments: [true, false]
    )
    func turnedAway(answers: Bool) async throws {
        try await RunningProxy.run { proxy in
            let sink = RecordingSink(.whenAsked)
            let loop = EmbeddedEventLoop()
            let own = ProxyLoop(loop: loop, shared: proxy.server.shared, sink: sink, budget: proxy.server.budget)
            let connection = ClientConnection(
                loop: own,
                peer: Peer(token: 1, address: "192.0.2.1:5", tls: nil),
                isFromThisMachine: false,
                route: .explicit
            )
            let channel = EmbeddedChannel(loop: loop)
            let handlers: [any ChannelHandler] = [
                ConnectionEnd(), TurnedAwayHandler(connection: connection, answers: answers),
            ]
            try channel.pipeline.syncOperations.addHandlers(handlers)
            channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 5), promise: nil)
            loop.run()
            #expect(sink.soFar.ended.map(\.failure) == ["client request not-allowed"])
            // What it sends before it is told is not held against it.
            try channel.writeInbound(ByteBuffer(repeating: 0x61, count: 70_000))
            #expect(own.drain() == 1)
            #expect(try channel.readOutbound(as: ByteBuffer.self) == nil && channel.isActive)
            sink.commit()
            loop.run()
            let answer = try channel.readOutbound(as: ByteBuffer.self).map { String(buffer: $0) }
            #expect(answer?.hasPrefix("HTTP/1.1 403 Forbidden\r\n") ?? false == answers)
            #expect(!channel.isActive)
            _ = try? channel.finish()
        }
    }
}
