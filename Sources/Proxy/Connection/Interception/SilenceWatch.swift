import NIOCore

/// Watches whether a client that completed the handshake sends anything before it leaves.
///
/// Programs that compare our certificate with a pinned one do so after the handshake, and leave without a byte.
final class SilenceWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any
    typealias OutboundIn = Any
    typealias OutboundOut = Any

    /// How soon a leave counts as a refusal; a browser's spare connection stays open for longer.
    private static let limit = TimeAmount.seconds(2)

    private let watch: LoopWatch
    private let began: NIODeadline
    private var spoke: (() -> Void)?
    private var left: (() -> Void)?

    /// - Parameters:
    ///   - watch: the loop's watch, whose clock measures how soon.
    ///   - spoke: is called when the first bytes come.
    ///   - left: is called when the client leaves soon and has sent none.
    init(_ watch: LoopWatch, spoke: @escaping () -> Void, left: @escaping () -> Void) {
        self.watch = watch
        began = watch.now
        self.spoke = spoke
        self.left = left
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        spoke?()
        end()
        context.fireChannelRead(data)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(ChannelEvent.inputClosed) = event as? ChannelEvent { leave() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        leave()
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    /// Notes that we close the connection ourselves.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        end()
        context.close(mode: mode, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func leave() {
        let left = left
        end()
        if watch.now - began < SilenceWatch.limit { left?() }
    }

    private func end() { (spoke, left) = (nil, nil) }
}
