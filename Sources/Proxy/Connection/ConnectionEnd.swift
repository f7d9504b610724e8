import NIOCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The handler next to the socket: ends a connection so that the other end sees a break, not a proper end.
///
/// A TLS handler further in would send close_notify and a socket would send FIN, both of which say that everything was sent. This closes
/// behind them with a reset.
final class ConnectionEnd: ChannelDuplexHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any
    typealias OutboundIn = Any
    typealias OutboundOut = ByteBuffer

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Calls back, on the channel's loop, once the socket has taken everything that was written and flushed before, or never will.
    ///
    /// A full close throws away what the socket has not taken yet, so a close after a response waits for this.
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

    /// Ends a connection that nothing is under way on, without waiting for the other end's close_notify.
    ///
    /// What was written goes out first, our own close_notify with it.
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
