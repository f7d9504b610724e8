import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Makes a request for another protocol the last one of its connection, and answers it as if it had not asked (RFC 9110 §7.8).
///
/// Behind such a request, which is a CONNECT or has an `Upgrade` field, the decoder reads no HTTP any more. It would keep every byte that comes, without
/// a limit, for the other protocol. So nothing is read behind the request, its answer says `Connection: close`, and the connection is closed
/// once both are through. A client that only offers another protocol, as Java's does, opens a new connection then.
final class UpgradeRefusal: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Requests that came and whose answers are not written yet.
    private var awaited = 0
    /// Whether the latest request is the last one.
    private var isLast = false
    /// Whether the last request has come to its end.
    private var isRead = false
    /// Done once all of the last answer is with the system; `nil` before it is written.
    private var answer: EventLoopFuture<Void>?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRead else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            awaited += 1
            isLast = head.method == .connect || head.headerFields[.upgrade] != nil
        case .body: break
        case .end: isRead = isLast
        }
        context.fireChannelRead(data)
        closeWhereDone(context)
    }

    func read(context: ChannelHandlerContext) {
        if !isRead { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isLast, awaited == 1 else {
            if case .end = unwrapOutboundIn(data) { awaited -= 1 }
            return context.write(data, promise: promise)
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            head.headerFields[.connection] = "close"
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            awaited = 0
            let written = promise ?? context.eventLoop.makePromise()
            answer = written.futureResult
            context.write(data, promise: written)
            closeWhereDone(context)
        }
    }

    private func closeWhereDone(_ context: ChannelHandlerContext) {
        guard isRead, let answer else { return }
        let channel = context.channel
        answer.whenComplete { _ in channel.close(promise: nil) }
    }
}
