import NIOCore
import NIOSSL
import NIOTLS

/// Waits for a TLS handshake to end: fulfils its promise with the agreed application protocol, or fails it, once, and leaves the pipeline on success.
final class HandshakeWait: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any

    private var promise: EventLoopPromise<String?>?
    private let timeout: TimeAmount
    private var timer: Scheduled<Void>?
    private var lastError: (any Error)?

    init(promise: EventLoopPromise<String?>, timeout: TimeAmount) {
        self.promise = promise
        self.timeout = timeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: timeout) { bound.value.fail(HandshakeTimeout()) }
    }

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

    private func take() -> EventLoopPromise<String?>? {
        timer?.cancel()
        timer = nil
        return promise.take()
    }

    private func fail(_ error: any Error) { take()?.fail(error) }
}

/// A handshake that did not end in time.
struct HandshakeTimeout: Error {}
