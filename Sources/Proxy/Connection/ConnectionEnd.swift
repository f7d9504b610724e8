import NIOCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

#if os(Linux)
extension NIOBSDSocket.Option {
    /// The option that holds back a segment that is not full until the option is cleared or the output is closed (tcp(7)).
    fileprivate static let tcp_cork = NIOBSDSocket.Option(rawValue: TCP_CORK)
}
#endif

/// The handler next to the socket, which ends a connection so that the other end can tell a break from a proper end.
///
/// A TLS handler further in sends close_notify and a socket sends FIN, both of which say that everything was sent; for a break this handler closes
/// with a reset instead. For a proper end it sends the last bytes and close_notify in one write.
final class ConnectionEnd: ChannelDuplexHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any
    typealias OutboundIn = Any
    typealias OutboundOut = ByteBuffer

    private var context: ChannelHandlerContext?
    private var onEnd: ((_ isOver: Bool) -> Void)?
    /// The callback for when the joined write is taken; `nil` while nothing is joined.
    private var joined: (() -> Void)?
    /// Whether the joined write is not wholly taken yet; a full close waits for it, since it would throw the rest away.
    private var isEnding = false
    private var owesClose = false

    /// Makes the handler; `onEnd` is called when nothing more is sent, and when the other end has closed or the connection is over.
    init(onEnd: ((_ isOver: Bool) -> Void)? = nil) { self.onEnd = onEnd }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        tellOver()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if onEnd != nil, case .some(ChannelEvent.inputClosed) = event as? ChannelEvent { tellOver() }
        context.fireUserInboundEventTriggered(event)
    }

    func flush(context: ChannelHandlerContext) { if joined == nil { context.flush() } }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        onEnd?(false)
        writeJoined(context, isClosing: true)
        if isEnding, mode == .all {
            owesClose = true
            if let promise { context.channel.closeFuture.cascade(to: promise) }
        } else {
            context.close(mode: mode, promise: promise)
        }
    }

    private func tellOver() {
        onEnd?(true)
        onEnd = nil
    }

    /// Writes the joined bytes, with FIN where the socket is closed next.
    private func writeJoined(_ context: ChannelHandlerContext, isClosing: Bool) {
        guard let then = joined else { return }
        joined = nil
        isEnding = true
        #if os(Linux)
        // The close sends what the option holds back.
        if isClosing { try? context.channel.syncOptions?.setOption(.tcpOption(.tcp_cork), value: 1) }
        #endif
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            isEnding = false
            then()
            if owesClose { self.context?.close(mode: .all, promise: nil) }
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: promise)
    }

    /// Flushes what was written and closes the output of a connection, with one write.
    ///
    /// - Parameters:
    ///   - inner: the context of the handler further in which has written it.
    ///   - then: is called on the loop once the socket has taken it all, or never will.
    static func endOutput(_ inner: ChannelHandlerContext, _ then: @escaping () -> Void) {
        guard let end = try? inner.pipeline.syncOperations.handler(type: ConnectionEnd.self), let context = end.context
        else {
            inner.flush()
            inner.close(mode: .output, promise: nil)
            return then()
        }
        end.joined = then
        inner.flush()
        inner.close(mode: .output, promise: nil)
        // A handler in between may have kept the close to itself.
        end.writeJoined(context, isClosing: false)
    }

    /// Calls back, on the channel's loop, once the socket has taken everything that was written and flushed before, or never will.
    ///
    /// A full close throws away what the socket has not taken, so a close after a response waits for this.
    static func whenWritten(_ channel: any Channel, _ then: @escaping () -> Void) {
        guard let end = try? channel.pipeline.syncOperations.handler(type: ConnectionEnd.self),
            let context = end.context
        else {
            then()
            return
        }
        let promise = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(end.wrapOutboundOut(ByteBuffer()), promise: promise)
        promise.futureResult.assumeIsolated().whenComplete { _ in then() }
    }

    /// Ends a connection with nothing under way, without waiting for the other end's close_notify.
    ///
    /// The socket must have taken what was written before: without TLS the rest is thrown away. Our own close_notify is sent.
    static func leave(_ channel: any Channel) {
        channel.close(promise: nil)
        guard channel.isActive, let end = try? channel.pipeline.syncOperations.handler(type: ConnectionEnd.self) else {
            return
        }
        whenWritten(channel) { end.context?.close(mode: .all, promise: nil) }
    }

    /// Resets the connection of a channel whose pipeline starts with this handler.
    static func reset(_ channel: any Channel) {
        guard let end = try? channel.pipeline.syncOperations.handler(type: ConnectionEnd.self),
            let context = end.context
        else {
            channel.close(promise: nil)
            return
        }
        // On the channel's own loop the option is set before the call returns.
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        context.close(mode: .all, promise: nil)
    }
}
