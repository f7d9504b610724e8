import NIOCore

/// The handler next to the socket of a connection that is left: it reads what still comes and throws it away, up to a limit in bytes.
///
/// The handlers further in have nothing under way and hear of nothing but the connection's end.
final class IgnoredInput: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = Any
    typealias OutboundOut = Any

    /// Bytes past which no more is read: an other end that goes on sending is held up.
    private static let limitBytes = 4 << 20

    private var ignoredBytes = 0

    func handlerAdded(context: ChannelHandlerContext) {
        // A read may be withheld further in; and bytes that nobody has read would make the close a reset.
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        ignoredBytes += unwrapInboundIn(data).readableBytes
    }

    func channelReadComplete(context: ChannelHandlerContext) { read(context: context) }

    func read(context: ChannelHandlerContext) { if ignoredBytes < Self.limitBytes { context.read() } }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(ChannelEvent.inputClosed) = event as? ChannelEvent { return }
        context.fireUserInboundEventTriggered(event)
    }
}
