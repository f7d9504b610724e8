import NIOCore

/// Stands before the TLS of an upstream's connection until its ServerHello has passed.
final class ServerHelloWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var reader = ServerHelloReader()
    /// The cipher suite that the upstream chose.
    var cipher: String? { reader.cipher }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reader.take(unwrapInboundIn(data))
        context.fireChannelRead(data)
        if reader.isDone { context.pipeline.syncOperations.removeHandler(self, promise: nil) }
    }
}
