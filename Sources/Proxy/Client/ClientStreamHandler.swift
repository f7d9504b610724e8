import NIOCore
import NIOHTTP2
import Traffic

/// A client's stream of HTTP/2: one exchange, and the rest of its response that is still to be sent.
final class ClientStreamHandler: ChannelDuplexHandler, ClientHandler {
    typealias InboundIn = MessagePart
    typealias InboundOut = Never
    typealias OutboundIn = Never
    typealias OutboundOut = WirePart

    let connection: ClientConnection
    /// The connection of HTTP/2 that the stream belongs to.
    private let whole: HTTP2ClientConnection
    private let codec: HTTP2StreamCodec
    private(set) var exchange: ExchangeShell?
    private(set) var context: ChannelHandlerContext?
    private var hasHadExchange = false
    /// Whether the stream is over, and nothing more passes on it.
    private(set) var isOver = false
    private(set) var isReading = false
    var isReadWithheld = false
    var isAwaitingRoom = false
    var unread: SocketProgress?
    var unsent: [RuleRoom] = []
    /// When the exchange ended, or the stream began: the time for a client that does not read the rest of its response counts from there.
    private var idleSince: NIODeadline
    /// Is fulfilled when a response is written that was delivered before its request ended; `nil` where there is none.
    private var delivered: EventLoopFuture<Void>?

    /// The handler of a stream, behind its codec.
    init(connection: ClientConnection, of whole: HTTP2ClientConnection, codec: HTTP2StreamCodec) {
        self.connection = connection
        self.whole = whole
        self.codec = codec
        idleSince = connection.loop.now
    }

    var version: HTTPVersion { .http2 }
    var streamID: Int? { codec.streamID }

    var ownBreak: ExchangeFailure? {
        if codec.endsForCrossedReset {
            let message = HTTP2ClientConnection.crossedReset
            return ExchangeFailure(side: .proxy, phase: .deliver, cause: .closed, message: message)
        }
        guard codec.hasConnectionBrokenOff else { return nil }
        return .ofClient(.deliver, .http2, "The client broke the rules of HTTP/2, and its connection was closed.")
    }

    // MARK: Life

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.watch.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        unsent = []
        loop.watch.remove(self)
    }

    // MARK: From the client

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        switch unwrapInboundIn(data) {
        case .request(let head): open(head)
        case .body(let bytes): exchange?.clientSent(bytes)
        case .end(let trailers): exchange?.clientEnded(trailers)
        case .response: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        exchange?.clientBurstEnded()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { writabilityChanged(context) }

    func channelInactive(context: ChannelHandlerContext) {
        isOver = true
        exchange?.clientLeft()
        whole.streamEnded()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let malformed as MalformedMessage:
            // The rest of a request that has had its answer is no other request.
            if let exchange { exchange.refuse(malformed) } else if !hasHadExchange { refuse(malformed) }
        case is NIOHTTP2Errors.StreamClosed where codec.hasConnectionBrokenOff: exchange?.clientLeft()
        case let closed as NIOHTTP2Errors.StreamClosed:
            exchange?.clientReset(closed.errorCode, own: codec.resetCode(of: closed.streamID))
        default:
            exchange?.clientBroke()
            context.close(promise: nil)
        }
    }

    // MARK: The exchange

    private func open(_ head: RequestHead) {
        switch RequestOpening(of: head, on: connection, isStream: true, local: { channel?.localAddress }) {
        case .exchange(let subject): begin(subject).begin()
        case .refusal(let subject, let failure, let code): begin(subject).refuse(failure, code: code)
        case .lateRefusal(let subject, let failure): begin(subject).refuseLate(failure)
        // A stream opens no tunnel.
        case .tunnel: break
        }
    }

    private func begin(_ subject: ExchangeSubject) -> ExchangeShell {
        let begun = ExchangeShell(client: self, subject, persists: false)
        hasHadExchange = true
        exchange = begun
        return begun
    }

    /// Answers bytes that are no request, and records that they came.
    private func refuse(_ malformed: MalformedMessage) {
        var endpoint: Endpoint?
        if case .inside(_, let key) = connection.route { endpoint = key.endpoint }
        begin(ExchangeSubject(unread: ByteBuffer(), endpoint: endpoint, version: .http2)).refuse(malformed)
    }

    func ended(_ exchange: ExchangeShell, isWhole: Bool) {
        leave()
        // A reset behind the response says that the rest of the request is not wanted (RFC 9113 §8.1).
        if !isWhole {
            let code = exchange.breachCode ?? .noError
            delivered?.assumeIsolated().whenSuccess { [codec] in codec.reset(code) }
        }
        if let context, context.channel.isActive { context.flush() }
    }

    func broken(_ exchange: ExchangeShell) {
        leave()
        codec.reset(exchange.breachCode ?? exchange.resetCode ?? .internalError)
    }

    func left(_ exchange: ExchangeShell) {
        leave()
        codec.reset(exchange.breachCode ?? .cancel)
    }

    private func leave() {
        exchange = nil
        idleSince = loop.now
        whole.exchangeEnded()
    }

    // MARK: Its response

    func head(of response: ResponseHead, for exchange: ExchangeShell) -> (part: WirePart, sent: ByteBuffer?) {
        exchange.noteRewritten(response.raw.fieldLines, response.version, .response)
        let (fields, isChanged) = HTTP2Fields.response(response)
        return (.fields(fields), isChanged ? HTTP2Fields.text(fields) : nil)
    }

    func interimHead(of response: ResponseHead, for exchange: ExchangeShell) -> WirePart? {
        exchange.noteRewritten(response.raw.fieldLines, response.version, .response)
        return .fields(HTTP2Fields.response(response).fields)
    }

    func write(_ part: WirePart) { context?.write(wrapOutboundOut(part), promise: nil) }

    /// Ends the response; where its request goes on, `delivered` tells when the end is out.
    func writeEnd(_ trailers: ByteBuffer?, of exchange: ExchangeShell) {
        guard !exchange.machine.isRequestEnded, let context else { return write(.end(trailers)) }
        let promise = context.eventLoop.makePromise(of: Void.self)
        delivered = promise.futureResult
        context.write(wrapOutboundOut(.end(trailers)), promise: promise)
    }

    func write(_ answer: OwnAnswer, of exchange: ExchangeShell) {
        write(.fields(answer.fields))
        if answer.body.readableBytes > 0 { write(.body(answer.body)) }
        // A stream that has ended on both sides could not be reset any more.
        if let code = exchange.breachCode { codec.reset(code) } else { writeEnd(nil, of: exchange) }
    }

    func flush() { context?.flush() }

    func flushLast() { codec.flush { [self] in exchange?.clientWasSentAll() } }

    func cutOff() { codec.reset(.cancel) }

    /// Ends the stream with its connection, which is over but for what was written; a part of its response that waits is not sent.
    func breakOff() {
        exchange?.clientLeft()
        context?.close(promise: nil)
    }

    // MARK: Reading only what can be passed on

    func read(context: ChannelHandlerContext) {
        if takesRequest { context.read() } else { isReadWithheld = true }
    }

    var takesRequest: Bool {
        // Before a request too: each leaves a row.
        guard !isFull else { return false }
        guard let exchange, !exchange.machine.isRequestEnded else { return true }
        return exchange.takesRequest
    }

    /// Reads on: a stream's content has no other form.
    func goOnRaw() { resumeRead() }

    /// Does nothing: no exchange of a stream waits for room.
    func roomCame() {}

    // MARK: Time

    func look(_ now: NIODeadline) {
        if let exchange { return exchange.look(now) }
        // What we do not read is not the client's silence.
        if isReadWithheld, loop.lane.isCongested {
            idleSince = now
            return
        }
        // The client does not read the rest of its response.
        guard let channel, now - max(idleSince, unreadSince(now)) >= loop.configuration.idleTimeout else { return }
        // The client reads nothing of the whole connection: not even a reset has left.
        if codec.isReset, let whole = channel.parent { return ConnectionEnd.reset(whole) }
        idleSince = now
        codec.reset(.cancel)
    }

    func drain() -> Bool {
        exchange?.drain()
        return exchange != nil
    }

    func cut() -> Bool {
        if let exchange { return exchange.cut() }
        codec.reset(.cancel)
        return false
    }

    func look(_ progress: inout SocketProgress, _ now: NIODeadline) {
        if let channel { progress.look(channel, stream: codec, now) }
    }
}
