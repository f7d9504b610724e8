import Foundation
import NIOCore
import NIOPosix
import Support
import Testing
import Traffic

@testable import Proxy

/// What is recorded of tunnels that neither side ended, and of those that never began.
@Suite(.timeLimit(.minutes(15)))
struct TunnelEndTests {
    /// An upstream that greets whoever says something.
    private static func origin() async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start { .init(consuming: $0.count, .send(Array("220 ready\r\n".utf8))) }
    }

    /// A client whose bytes have passed in a tunnel, both ways.
    private static func tunnel(_ proxy: RunningProxy, to origin: LoopbackOrigin) async throws -> RawClient {
        let client = try await proxy.tunnel(to: origin.port, host: "127.0.0.1")
        try await client.send("\0\n")
        #expect(try await client.read(through: "\r\n") == "220 ready\r\n")
        return client
    }

    /// Sees to it that both ends of a tunnel were closed and not reset.
    private static func expectProperEnds(_ client: RawClient, _ origin: LoopbackOrigin) async throws {
        #expect(try await client.readToEnd() == [] && client.soFar.error == nil, "\(client.soFar)")
        let seen = try await origin.connections("the end of the tunnel") { $0.first?.isClientDone == true }
        #expect(seen.first?.error == nil)
    }

    @Test("A tunnel in which nothing passes for an hour is closed, and recorded as idle and as nobody's break")
    func idle() async throws {
        let origin = try await Self.origin()
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await Self.tunnel(proxy, to: origin)
            try await proxy.pass(.seconds(60), until: "the end of the tunnel") { !proxy.sink.soFar.ended.isEmpty }
            let exchange = try await proxy.record().exchange
            #expect(exchange.outcome == .tunnelled)
            #expect(exchange.warnings == ["Nothing passed for 3600 s, and the tunnel was closed."])
            try await Self.expectProperEnds(client, origin)
        }
    }

    @Test("A stopping proxy lets a tunnel be in which bytes pass, and closes it when none have passed for a second")
    func stopped() async throws {
        let origin = try await Self.origin()
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await Self.tunnel(proxy, to: origin)
            for _ in 1...2 {
                try await proxy.pass(.milliseconds(999))
                #expect(try await proxy.drain() == 1)
                try await client.send("\0\n")
                #expect(try await client.read(through: "\r\n") == "220 ready\r\n")
            }
            // The client's machine may not have said yet that it has the last of them, which counts as passing.
            try await proxy.pass(.seconds(1), until: "the end of the tunnel") {
                _ = try await proxy.drain()
                return !proxy.sink.soFar.ended.isEmpty
            }
            let exchange = try await proxy.record().exchange
            #expect(exchange.outcome == .tunnelled)
            #expect(exchange.warnings == ["The proxy was stopped, and the tunnel was closed."])
            try await Self.expectProperEnds(client, origin)
        }
    }

    @Test("A tunnel in which bytes pass until a stopping proxy has waited long enough is broken off, and recorded so")
    func cut() async throws {
        let origin = try await Self.origin()
        let sink = RecordingSink()
        var opened: RawClient?
        try await RunningProxy.run(sink, clock: TestClock()) { opened = try await Self.tunnel($0, to: origin) }
        let client = try #require(opened)
        _ = try await client.readToEnd()
        #expect(client.soFar.error != nil)
        let warnings = sink.soFar.ended.map(\.exchange.warnings)
        #expect(warnings == [["The proxy was stopped while bytes passed, and the tunnel was broken off."]])
    }

    @Test("A tunnel whose client is slow to take what the upstream sends is not closed as if all of it had passed")
    func stalled() async throws {
        let piece = [UInt8](repeating: 0x78, count: 64 << 10)
        let origin = try await LoopbackOrigin.start(holdsLittle: true) {
            .init(consuming: $0.count, .stream(piece, times: 1_000))
        }
        let sink = RecordingSink()
        var opened: RawClient?
        try await RunningProxy.run(sink, clock: TestClock()) { proxy in
            let client = try await proxy.tunnel(to: origin.port, host: "127.0.0.1", holdsLittle: true)
            opened = client
            try await client.setReading(false)
            try await client.send("\0\n")
            _ = try await origin.connections("its bytes taken") { ($0.first?.sentBytes ?? 0) > 0 }
            _ = try await origin.settled({ $0.first?.sentBytes }, for: .milliseconds(200))
            try await proxy.pass(.seconds(1))
            #expect(try await proxy.drain() == 1)
        }
        withExtendedLifetime(opened) {}
        let warnings = sink.soFar.ended.map(\.exchange.warnings)
        #expect(warnings == [["The proxy was stopped while bytes passed, and the tunnel was broken off."]])
    }

    @Test("A tunnel whose client has still to read what the sockets hold does not rest, and ends behind that")
    func unread() async throws {
        let takenBytes = 512 << 10
        let origin = try await LoopbackOrigin.start {
            .init(consuming: $0.count, .send([UInt8](repeating: 0x78, count: takenBytes)))
        }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.tunnel(to: origin.port, host: "127.0.0.1")
            try await client.setReading(false)
            try await client.send("\0\n")
            _ = try await origin.connections("its bytes taken") { ($0.first?.sentBytes ?? 0) == takenBytes }
            _ = try await origin.settled({ $0.first?.sentBytes }, for: .milliseconds(200))
            // Nothing passes by now, but the client may be about to read.
            try await proxy.pass(.seconds(1))
            #expect(try await proxy.drain() > 0 && proxy.sink.soFar.ended.isEmpty)
            // It reads nothing for a second more.
            try await proxy.pass(.seconds(1))
            #expect(try await proxy.drain() > 0)
            let warnings = try await proxy.record().exchange.warnings
            #expect(warnings == ["The proxy was stopped, and the tunnel was closed."])
            for _ in 1...2 { try await proxy.server.beat() }
            // What comes to a closed socket is answered with a reset, and the socket throws away what it holds.
            try await client.send("x")
            try await client.setReading(true)
            while !client.soFar.isEnded { try? await client.send("x") }
            #expect(try await client.readToEnd().count == takenBytes)
            #expect(origin.connections.first?.receivedBytes == 2, "What comes to a tunnel that is over goes nowhere")
        }
    }

    @Test("A side that breaks behind its own end takes nothing any more: the tunnel is over", arguments: [true, false])
    func brokenBehindEnd(isUpstream: Bool) async throws {
        let gate = Gate()
        let piece = [UInt8](repeating: 0x78, count: 10_000)
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.last == 10 else { return nil }
            return isUpstream
                ? .init(consuming: unanswered.count, .send(piece), .halfClose, .held(gate), .reset)
                : .init(consuming: unanswered.count, .send(piece), .held(gate), .stream(piece, times: 100_000))
        }
        try await RunningProxy.run { proxy in
            let client = try await proxy.tunnel(to: origin.port, host: "127.0.0.1")
            try await client.send("\0go\n")
            if isUpstream {
                #expect(try await client.readToEnd() == piece)
                gate.open()
            } else {
                _ = try await client.read(count: piece.count)
                try await client.halfClose()
                _ = try await origin.connections("the client's end") { $0.first?.isClientDone == true }
                gate.open()
                _ = try await client.read(count: piece.count)
                try await client.reset()
            }
            let exchange = try await proxy.record().exchange
            let who = isUpstream ? "upstream" : "client"
            #expect(exchange.warnings == ["The \(who)'s connection broke before the tunnel was closed."])
            #expect(exchange.outcome == .tunnelled && exchange.request.body.length == 4)
            _ = try await origin.connections("its end") { $0.first?.isClosed == true }
        }
    }

    @Test("An upstream that resets its connection before anything passed leaves a row")
    func lost() async throws {
        let accepted = Watched<[any Channel]>([])
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                accepted.update { $0.append(channel) }
                let socket = channel as? any SocketOptionProvider
                // Its close is a reset.
                return socket?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                    ?? channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = listener.localAddress?.port ?? 0
        try await RunningProxy.run { proxy in
            let client = try await proxy.tunnel(to: port, host: "127.0.0.1")
            for channel in try await accepted.wait(for: "the dial", until: { $0.count == 1 }) {
                try await channel.close().get()
            }
            for _ in 1...2 { try await proxy.server.beat() }
            _ = try? await client.send("\0\n")
            _ = try? await client.readToEnd()
            let record = try await proxy.record()
            #expect(record.failure == "upstream connect closed" && record.exchange.method == "CONNECT")
        }
        try await listener.close()
    }
}
