import NIOCore
import Traffic

/// The connection of a client that a rule leaves without a byte: what it sends is read and thrown away until it leaves, which is recorded then.
final class LeftWaiting: ChannelInboundHandler, Watched {
    typealias InboundIn = ByteBuffer

    private let row: ConnectRow
    private let use: RuleUse
    private var context: ChannelHandlerContext?

    /// - Parameters:
    ///   - row: the row that is recorded.
    ///   - use: what it says of the rule.
    init(_ row: ConnectRow, _ use: RuleUse) { (self.row, self.use) = (row, use) }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        row.connection.loop.watch.add(self)
        context.read()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        row.connection.loop.watch.remove(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func channelReadComplete(context: ChannelHandlerContext) { context.read() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(ChannelEvent.inputClosed) = event as? ChannelEvent { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelInactive(context: ChannelHandlerContext) {
        let message = "The client closed the connection, to which the rule '\(use.rule)' gives no answer."
        row.recordRefusal(.ofClient(.wait, .closed, message), by: use, .cancelled)
        context.fireChannelInactive()
    }

    /// Does nothing: the client decides how long it waits.
    func look(_ now: NIODeadline) {}

    func due(_ exchange: UInt64) {}

    func drain() -> Bool {
        context?.close(promise: nil)
        return false
    }

    func cut() -> Bool { drain() }
}
