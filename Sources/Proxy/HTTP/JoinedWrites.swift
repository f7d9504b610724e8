import NIOCore

/// The handler below HTTP/2 that joins small writes and flushes once a loop tick, since every stream of a connection flushes for itself.
///
/// One TLS record and one system call then carry what all streams wrote in a tick. More than a burst is flushed earlier, between two frames: without
/// a flush, nobody learns that the socket takes no more, and TLS makes one buffer of everything.
final class JoinedWrites: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Writes of at least this size are not copied.
    private static let joinBytes = 16 << 10
    /// Bytes that are written at most, with one frame more, before they are flushed.
    private static let burstBytes = 64 << 10

    private var waiting = ByteBuffer()
    /// Bytes that were written since the last flush.
    private var unflushedBytes = 0
    private var isFlushScheduled = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Flushes what was written so far, if that is a burst or more; called between two frames.
    func flushBurst() {
        guard unflushedBytes >= Self.burstBytes, let context else { return }
        flushAll(context)
    }

    private func flushAll(_ context: ChannelHandlerContext) {
        release(context)
        unflushedBytes = 0
        context.flush()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        unflushedBytes += bytes.readableBytes
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
            joiner.flushAll(context)
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
