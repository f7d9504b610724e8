import NIOCore
import NIOPosix

/// An upstream on 127.0.0.1 that speaks first: it greets whoever connects.
final class SpeakingOrigin: Sendable {
    let port: Int
    private let listener: any Channel

    private init(listener: any Channel) {
        self.listener = listener
        port = listener.localAddress?.port ?? 0
    }

    deinit { listener.close(promise: nil) }

    /// Starts listening on a free port.
    static func start(_ greeting: String) async throws -> SpeakingOrigin {
        SpeakingOrigin(
            listener: try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(GreetingHandler(greeting: greeting))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
        )
    }
}

/// Sends a greeting on a connection that opens.
private final class GreetingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let greeting: String

    init(greeting: String) { self.greeting = greeting }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: greeting)), promise: nil)
    }
}
