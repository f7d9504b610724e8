import NIOCore

/// Between HTTP/2 and the socket or TLS: joins small writes, and flushes once a loop tick, since every stream of a connection flushes for itself.
///
/// One TLS record and one system call then carry what all streams wrote in a tick.
final class JoinedWrites: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Writes of at least this size are not copied.
    private static let joinBytes = 16 << 10

    private var waiting = ByteBuffer()
    private var isFlushScheduled = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        guard promise == nil, bytes.readableBytes < Self.joinBytes else {
            release(context)
            context.write(data, promise: promise)
            return
        }
        waiting.writeImmutableBuffer(bytes)
        if waiting.readableBytes >= Self.joinBytes { release(context) }
    }

    func flush(context: ChannelHandlerContext) {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let (joiner, context) = bound.value
            joiner.isFlushScheduled = false
            joiner.release(context)
            context.flush()
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        release(context)
        context.flush()
        context.close(mode: mode, promise: promise)
    }

    private func release(_ context: ChannelHandlerContext) {
        guard waiting.readableBytes > 0 else { return }
        let bytes = waiting
        waiting = ByteBuffer()
        context.write(wrapOutboundOut(bytes), promise: nil)
    }
}
