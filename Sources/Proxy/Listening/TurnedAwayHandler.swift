import NIOCore
import Traffic

/// Turns away a client that is not on the allow-list: records the connection, answers 403 where it speaks HTTP, and interprets none of its bytes.
final class TurnedAwayHandler: ChannelDuplexHandler, Watched {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How long the client may take to read the answer, and how many of its bytes are thrown away meanwhile, so that no reset overtakes the answer.
    private static let patience = TimeAmount.seconds(2)
    private static let thrownAwayLimitBytes = 64 << 10

    private let connection: ClientConnection
    private let answers: Bool
    private var context: ChannelHandlerContext?
    private var thrownAwayBytes = 0
    private var isInputClosed = false
    private var isReadWithheld = false
    /// When the connection is closed at the latest; `nil` until the row is committed and the client is answered, and nothing is read until then.
    private var deadline: NIODeadline?
    private let row: ConnectRow

    /// - Parameters:
    ///   - connection: the client's.
    ///   - answers: whether the client speaks HTTP, so that a response tells it why.
    init(connection: ClientConnection, answers: Bool) {
        self.connection = connection
        self.answers = answers
        row = ConnectRow(
            connection: connection,
            endpoint: nil,
            request: ByteBuffer(),
            started: connection.loop.timeOfDay,
            began: connection.loop.now
        )
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        connection.loop.watch.add(self)
        if context.channel.isActive { turnAway(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        connection.loop.watch.remove(self)
    }

    func channelActive(context: ChannelHandlerContext) {
        turnAway(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What a client sent before its FIN comes even where nothing is read.
        guard deadline != nil else { return }
        thrownAwayBytes += unwrapInboundIn(data).readableBytes
        if thrownAwayBytes > Self.thrownAwayLimitBytes { context.close(promise: nil) }
    }

    func read(context: ChannelHandlerContext) {
        if deadline != nil { context.read() } else { isReadWithheld = true }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .some(ChannelEvent.inputClosed) = event as? ChannelEvent else { return }
        isInputClosed = true
        guard deadline != nil else { return }
        ConnectionEnd.whenWritten(context.channel) { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func look(_ now: NIODeadline) {
        if let deadline, now >= deadline { context?.close(promise: nil) }
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool {
        // Until the client is answered, `CommitHold` counts this as under way.
        if deadline != nil { context?.close(promise: nil) }
        return false
    }

    private func turnAway(_ context: ChannelHandlerContext) {
        let failure = ExchangeFailure(
            side: .client,
            phase: .request,
            cause: .notAllowed,
            message: "This proxy lets in only the clients that it was started for; whoever runs it can let in more.",
            retry: true
        )
        row.record(failure) { [self] in answer(failure) }
    }

    /// Answers a client of HTTP, and ends the connection.
    private func answer(_ failure: ExchangeFailure) {
        guard let context else { return }
        deadline = connection.loop.now + Self.patience
        guard answers else {
            context.close(promise: nil)
            return
        }
        let answer = OwnAnswer(failure, code: 403, hasBody: true, closes: true, version: .http11)
        context.writeAndFlush(wrapOutboundOut(answer.text), promise: nil)
        ConnectionEnd.whenWritten(context.channel) { [self] in
            if isInputClosed { context.close(promise: nil) } else { context.close(mode: .output, promise: nil) }
        }
        guard isReadWithheld else { return }
        isReadWithheld = false
        context.read()
    }
}
