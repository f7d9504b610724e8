import NIOCore
import Traffic

/// The handler of a new connection that holds the dialog with an upstream proxy, and leaves once the proxy has connected us.
final class UpstreamProxyHandler: ChannelDuplexHandler, RemovableChannelHandler, Watched {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let proxy: UpstreamProxy
    private let watch: LoopWatch
    private let deadline: NIODeadline
    private var dialog: UpstreamProxyDialog
    private var promise: EventLoopPromise<Void>?
    private var context: ChannelHandlerContext?
    /// Bytes that were not understood yet: at most a head, and one read.
    private var buffer = ByteBuffer()

    /// - Parameters:
    ///   - proxy: the proxy to talk to.
    ///   - target: the endpoint to be connected to.
    ///   - watch: the watch of the connection's loop.
    ///   - configuration: has the limits, and the time that the dialog may take.
    ///   - promise: succeeds once the channel leads to the target; fails with an `ExchangeFailure`.
    init(
        _ proxy: UpstreamProxy,
        target: Endpoint,
        watch: LoopWatch,
        configuration: ProxyConfiguration,
        promise: EventLoopPromise<Void>
    ) {
        self.proxy = proxy
        self.watch = watch
        deadline = watch.now + configuration.connectTimeout
        dialog = UpstreamProxyDialog(
            proxy,
            target: target,
            limits: configuration.headLimits,
            interimLimitCount: configuration.interimLimitCount
        )
        self.promise = promise
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        watch.add(self)
        context.writeAndFlush(wrapOutboundOut(dialog.opening), promise: nil)
        context.read()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        finish(.failure(proxy.failure(.closed, "closed the connection before it had made one")))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        buffer.writeImmutableBuffer(unwrapInboundIn(data))
        guard promise != nil else { return }
        do throws(ExchangeFailure) {
            while promise != nil {
                switch try dialog.next(&buffer) {
                case .wait: return
                case .send(let bytes): context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
                case .done: done(context)
                }
            }
        } catch {
            fail(context, error)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Only the dialog is read, until a pipeline is there for the rest.
        if promise != nil { context.read() }
    }

    /// Hands what the upstream had sent at once to the next pipeline, which is in place and reads.
    func read(context: ChannelHandlerContext) {
        guard promise == nil, buffer.readableBytes > 0 else {
            context.read()
            return
        }
        let early = buffer
        buffer = ByteBuffer()
        context.fireChannelRead(wrapInboundOut(early))
        context.fireChannelReadComplete()
        context.read()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(ChannelEvent.inputClosed) = event as? ChannelEvent, promise != nil {
            fail(context, proxy.failure(.closed, "closed the connection before it had made one"))
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard promise != nil else {
            context.fireErrorCaught(error)
            return
        }
        fail(context, proxy.failure(.reset, "broke the connection before it had made one"))
    }

    func look(_ now: NIODeadline) {
        guard now >= deadline, let context else { return }
        fail(context, proxy.failure(.timeout, "did not make the connection in time"))
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool { false }

    private func done(_ context: ChannelHandlerContext) {
        finish(.success(()))
        if buffer.readableBytes == 0 { context.pipeline.syncOperations.removeHandler(self, promise: nil) }
    }

    private func fail(_ context: ChannelHandlerContext, _ failure: ExchangeFailure) {
        finish(.failure(failure))
        context.close(promise: nil)
    }

    private func finish(_ result: Result<Void, any Error>) {
        watch.remove(self)
        promise.take()?.completeWith(result)
    }
}
