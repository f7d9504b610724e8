import NIOCore
import NIOPosix
import NIOSSL
import Proxy
import Support
import Testing
import Traffic

/// What becomes of requests on a connection whose upstream could not be had at first.
@Suite(.timeLimit(.minutes(15)))
struct SecondTryTests {
    /// Answers what it reads, whatever that is.
    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let answer = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        }
    }

    @Test("An upstream whose handshake failed is tried anew for the next request")
    func recovers() async throws {
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(Certificates.file("good.pem"))
                    .map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: Certificates.file("good-key.pem"), format: .pem))
            )
        )
        let accepted = Watched(0)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                let number = accepted.update { count in
                    count += 1
                    return count
                }
                // The first one ends before it has begun.
                guard number > 1 else { return channel.close() }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(NIOSSLServerHandler(context: context), Answering())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = listener.localAddress?.port ?? 0
        try await RunningProxy.run { proxy in
            let client = try await proxy.secureTunnel(to: port)
            for code in [502, 200, 200] {
                try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await client.response().code == code)
            }
            let records = try await proxy.sink.ended(3)
            #expect(records[0].exchange.failure?.phase == .tls && records[1].failure == "none")
            #expect(accepted.value == 2)
        }
        try await listener.close()
    }

    @Test("One whose certificate is bad is not")
    func certificate() async throws {
        let origin = try await LoopbackOrigin.start(tls: Certificates.server("expired")) { _ in nil }
        try await RunningProxy.run { proxy in
            let client = try await proxy.secureTunnel(to: origin.port)
            for _ in 1...2 {
                try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await client.response().code == 502)
            }
            let failures = Set(try await proxy.sink.ended(2).map(\.failure))
            #expect(failures == ["upstream tls certificate-expired"] && origin.connections.count == 1, "\(failures)")
        }
    }
}
