import NIOCore

/// Closes a connection a moment after its last answer, where the client does not.
///
/// Such a connection waits for its client's end. A TLS client that sends `Connection: close`, reads the answer and keeps its socket would hold it
/// open, and keep the server from stopping: a cancelled connection asks to close one direction, and NIOSSL cannot close reading alone.
final class EndedConnectionHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = NIOAny

    /// How long the client has from when all of the answer has been handed to the system.
    private let limit: TimeAmount

    init(limit: TimeAmount) { self.limit = limit }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        let ended = context.eventLoop.makePromise(of: Void.self)
        let (channel, limit) = (context.channel, limit)
        ended.futureResult.whenComplete { _ in
            channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        }
        if let promise { ended.futureResult.cascade(to: promise) }
        context.close(mode: mode, promise: ended)
    }
}
