import NIOConcurrencyHelpers
import NIOCore
import Support
import Testing
import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@testable import Proxy

/// How many clients may be connected at once.
@Suite(.timeLimit(.minutes(15)))
struct ConnectionLimitTests {
    @Test("At the limit a further client waits, on every listener, and is served when another leaves")
    func waits() async throws {
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
        )
        let request = "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
        try await RunningProxy.run(configure: {
            WaysInTests.listening(.explicit, .explicit)(&$0)
            $0.connectionLimitCount = 2
        }) { proxy in
            var served: [RawClient] = []
            for port in proxy.ports {
                let client = try await RawClient.connect(port: port)
                try await client.send(request)
                #expect(try await client.response().text == "ok")
                served.append(client)
            }
            var waiting: [RawClient] = []
            for port in proxy.ports + proxy.ports {
                let client = try await RawClient.connect(port: port)
                try await client.send(request)
                waiting.append(client)
            }
            // Those who are in go on as before, again and again, and nobody else is answered meanwhile.
            for _ in 0..<20 {
                for client in served {
                    try await client.send(request)
                    #expect(try await client.response().text == "ok")
                }
            }
            #expect(waiting.allSatisfy { $0.soFar.unread.isEmpty && !$0.soFar.isEnded })
            #expect(origin.connections.count <= 2)
            for client in served { try await client.close() }
            // Which of them comes first is not promised; each that leaves makes room for another.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in waiting {
                    group.addTask {
                        #expect(try await client.response().text == "ok")
                        try await client.close()
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Stands next to a listener's socket, and counts how often it is asked to accept.
    private final class Asking: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = any Channel

        let count = NIOLockedValueBox(0)

        func read(context: ChannelHandlerContext) { count.withLockedValue { $0 += 1 } }
    }

    @Test("Where no descriptors are left, an accept is not tried again at once")
    func exhausted() async throws {
        try await RunningProxy.run { proxy in
            for listener in try await proxy.server.listen() {
                let (channel, asking) = (listener.channel, Asking())
                try await channel.pipeline.addHandler(asking, position: .first).get()
                try await channel.eventLoop.submit {
                    for _ in 0..<100 {
                        channel.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
                        channel.pipeline.fireChannelReadComplete()
                        channel.read()
                    }
                }.get()
                #expect(asking.count.withLockedValue { $0 } == 0 && channel.isActive)
                try await channel.close().get()
            }
        }
    }
}
