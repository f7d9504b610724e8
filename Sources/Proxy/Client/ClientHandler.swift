import NIOCore
import Traffic

/// A channel handler that is an exchange's client: of a connection of HTTP/1, or of a stream of HTTP/2.
///
/// Both read only what can be passed on, and measure whether the client takes what is written.
protocol ClientHandler: ExchangeClient, ChannelInboundHandler where InboundIn == MessagePart, InboundOut == Never {
    /// The exchange under way; `nil` where there is none.
    var exchange: ExchangeShell? { get }
    /// Its place in the pipeline; `nil` outside of one.
    var context: ChannelHandlerContext? { get }
    /// Whether more can be taken from the client now.
    var takesRequest: Bool { get }
    /// Whether a read was asked for and not made, since nothing more could be taken.
    var isReadWithheld: Bool { get set }
    /// Whether the handler waits for the record to have room.
    var isAwaitingRoom: Bool { get set }
    /// How the client takes what is written, since a look found no room for more; `nil` while there is room.
    var unread: SocketProgress? { get set }

    /// The room of bodies that were written, and of which more may wait than a channel takes.
    var unsent: [RuleRoom] { get set }

    /// The record has room again.
    func roomCame()
    /// Measures how much of what is written the client has taken.
    func look(_ progress: inout SocketProgress, _ now: NIODeadline)
}

extension ClientHandler {
    var loop: ProxyLoop { connection.loop }
    var channel: (any Channel)? { context?.channel }

    var takesResponse: Bool { !isFull && context?.channel.isWritable ?? true }

    /// Whether the record has no room for what a request or a response leaves there; the handler waits for room then.
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

    func keep(_ rooms: [RuleRoom]) {
        unsent += rooms
        // Once it is flushed.
        loop.loop.assumeIsolated().execute { [self] in giveBackSent() }
    }

    private func giveBackSent() { if context?.channel.isWritable != false { unsent = [] } }

    /// The client's channel has room for more of a response, or none.
    func writabilityChanged(_ context: ChannelHandlerContext) {
        if context.channel.isWritable {
            unread = nil
            giveBackSent()
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
