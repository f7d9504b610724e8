import NIOCore
import NIOSSL
import NIOTLS

/// Waits for the end of a TLS handshake and completes its promise once: with the agreed application protocol, or with an error.
///
/// On success it leaves the pipeline.
final class HandshakeWait: ChannelInboundHandler, RemovableChannelHandler, Watched {
    typealias InboundIn = Any
    typealias InboundOut = Any

    private var promise: EventLoopPromise<String?>?
    private let watch: LoopWatch
    private let deadline: NIODeadline
    private var lastError: (any Error)?

    /// - Parameters:
    ///   - watch: the watch of the connection's loop.
    ///   - promise: the promise to complete.
    ///   - timeout: how long the handshake may take from now on.
    init(_ watch: LoopWatch, promise: EventLoopPromise<String?>, timeout: TimeAmount) {
        self.watch = watch
        self.promise = promise
        deadline = watch.now + timeout
    }

    func handlerAdded(context: ChannelHandlerContext) { watch.add(self) }

    func handlerRemoved(context: ChannelHandlerContext) { fail(ChannelError.eof) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .some(.handshakeCompleted(let negotiated)) = event as? TLSUserEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        let promise = take()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
        promise?.succeed(negotiated)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        lastError = error
        fail(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(lastError ?? ChannelError.eof)
        context.fireChannelInactive()
    }

    func look(_ now: NIODeadline) {
        if now >= deadline { fail(HandshakeTimeout()) }
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool { false }

    private func take() -> EventLoopPromise<String?>? {
        watch.remove(self)
        return promise.take()
    }

    private func fail(_ error: any Error) { take()?.fail(error) }
}
