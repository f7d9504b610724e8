import NIOCore
import NIOHTTPTypes

/// Closes our side of a connection only once the last answer is with the system.
///
/// Where the client has closed its own side already, closing ours closes the whole connection, and what is not written by then is thrown away.
final class WholeAnswers: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart

    /// Done once all of the latest answer is with the system, or never will be.
    private var answer: EventLoopFuture<Void>?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let written = promise ?? context.eventLoop.makePromise()
        answer = written.futureResult
        context.write(data, promise: written)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output, let answer else { return context.close(mode: mode, promise: promise) }
        answer.assumeIsolated().whenComplete { _ in context.close(mode: mode, promise: promise) }
    }
}
