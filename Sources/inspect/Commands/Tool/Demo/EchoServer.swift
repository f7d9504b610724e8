import NIOCore
import NIOPosix

/// A TCP server on 127.0.0.1 that answers bytes with the same bytes: what a protocol looks like that is neither TLS nor HTTP.
struct EchoServer: Sendable {
    /// The port the system gave it.
    let port: Int
    private let listener: any Channel

    /// Starts it.
    init() async throws {
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(EchoHandler()) }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        port = listener.localAddress?.port ?? 0
    }

    /// Stops listening.
    func stop() async throws {
        try await listener.close()
    }

    private final class EchoHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.writeAndFlush(data, promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
