import NIOCore
import Traffic

/// What the handlers of a client's connection and of a client's stream have in common: they read only what can be passed on, and look whether what is
/// written is taken.
protocol ClientHandler: ExchangeClient, ChannelInboundHandler where InboundIn == MessagePart, InboundOut == Never {
    /// The exchange under way.
    var exchange: ExchangeShell? { get }
    var context: ChannelHandlerContext? { get }
    /// Whether more can be taken from the client now.
    var takesRequest: Bool { get }
    var isReadWithheld: Bool { get set }
    /// Whether it waits for the record to have room.
    var isAwaitingRoom: Bool { get set }
    /// Whether the client takes what is written, since a look found that there was no room for more; `nil` while there is.
    var unread: SocketProgress? { get set }

    /// The record has room again.
    func roomCame()
    /// Looks at what is written.
    func look(_ progress: inout SocketProgress, _ now: NIODeadline)
}

extension ClientHandler {
    var loop: ProxyLoop { connection.loop }
    var channel: (any Channel)? { context?.channel }

    var takesResponse: Bool { !isFull && context?.channel.isWritable ?? true }

    /// Whether the record has no room, which is waited for then: each request leaves a row, and each response.
    var isFull: Bool {
        guard loop.lane.isCongested else { return false }
        if !isAwaitingRoom { awaitRoom() }
        return true
    }

    private func awaitRoom() {
        isAwaitingRoom = true
        loop.lane.whenRoom { [self] in
            isAwaitingRoom = false
            roomCame()
            resumeRead()
            exchange?.clientTakesMore()
        }
    }

    func resumeRead() {
        guard isReadWithheld, let context, takesRequest else { return }
        isReadWithheld = false
        context.read()
    }

    /// The client's channel has room for more of a response, or none.
    func writabilityChanged(_ context: ChannelHandlerContext) {
        if context.channel.isWritable {
            unread = nil
            exchange?.clientTakesMore()
        }
        context.fireChannelWritabilityChanged()
    }

    func unreadSince(_ now: NIODeadline) -> NIODeadline {
        var progress = unread ?? SocketProgress(since: now)
        look(&progress, now)
        unread = progress
        return progress.since
    }

    func due(_ token: CaptureToken) { if let exchange, exchange.token == token { exchange.due() } }
}
