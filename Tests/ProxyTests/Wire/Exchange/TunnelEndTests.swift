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
    @Test("A tunnel in which nothing passes for an hour is recorded as idle, and as nobody's break")
    func idle() async throws {
        let origin = try await SpeakingOrigin.start("220 ready\r\n")
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.tunnel(to: origin.port, host: "127.0.0.1")
            try await client.send("\0\n")
            #expect(try await client.read(through: "\r\n") == "220 ready\r\n")
            try await proxy.pass(.seconds(60), until: "the end of the tunnel") { !proxy.sink.soFar.ended.isEmpty }
            let exchange = try await proxy.record().exchange
            #expect(exchange.outcome == .tunnelled)
            #expect(exchange.warnings == ["Nothing passed for 3600 s, and the tunnel was closed."])
        }
    }

    @Test("A tunnel that a stopping proxy ends is recorded so")
    func stopped() async throws {
        let origin = try await SpeakingOrigin.start("220 ready\r\n")
        try await RunningProxy.run { proxy in
            let client = try await proxy.tunnel(to: origin.port, host: "127.0.0.1")
            try await client.send("\0\n")
            #expect(try await client.read(through: "\r\n") == "220 ready\r\n")
            _ = try await proxy.drain()
            let exchange = try await proxy.record().exchange
            #expect(exchange.outcome == .tunnelled)
            #expect(exchange.warnings == ["The proxy was stopped, and the tunnel was closed."])
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
