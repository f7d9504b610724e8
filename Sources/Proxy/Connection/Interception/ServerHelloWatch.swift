import NIOCore

/// The handler before the TLS of an upstream's connection that reads the ServerHello and then leaves.
final class ServerHelloWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var reader = ServerHelloReader()
    /// The cipher suite that the upstream chose; `nil` until it was read.
    var cipher: String? { reader.cipher }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reader.take(unwrapInboundIn(data))
        context.fireChannelRead(data)
        if reader.isDone { context.pipeline.syncOperations.removeHandler(self, promise: nil) }
    }
}
