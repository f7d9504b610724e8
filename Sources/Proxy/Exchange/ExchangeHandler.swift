import DequeModule
import NIOCore
import NIOHTTP2
import Traffic

/// The client half of the matched pair, and the shell round the state machine: turns what happens into facts, performs effects.
///
/// One handler serves a client connection, one exchange after another; `UpstreamHandler` on the same loop is its partner.
final class ExchangeHandler: ChannelDuplexHandler, RemovableChannelHandler, Watched {
    typealias InboundIn = MessagePart
    typealias OutboundIn = Never
    typealias OutboundOut = WirePart

    /// How the connection ends once what was written is out.
    enum Closing {
        case no
        /// A full close or half of one waits until the socket has taken what was written; a reader that takes nothing of it is cut off.
        case writing
        /// Output is closed; what still comes is read and thrown away, at most so many bytes, so that no reset overtakes the response.
        case lingering(until: NIODeadline, bytesLeft: Int)
    }

    let connection: ClientConnection
    let codec: any ClientCodec
    var live: LiveExchange?
    var context: ChannelHandlerContext?
    var closing = Closing.no
    var isInputClosed = false
    /// A CONNECT is being dialled: the connection is about to change its protocol.
    var isConnecting = false
    /// Its dial, until that is over.
    var dialing: TunnelDial?

    private var facts: Deque<Fact> = []
    private var effects: [Effect] = []
    private var isPerforming = false
    /// Within a read burst: what it holds is read before any of it is sent, since the rest may show that nothing is to be sent.
    private var isReading = false
    /// A read burst ended while effects were performed.
    private var owesFlush = false
    private(set) var isReadWithheld = false
    /// The last exchange is over, and the next waits until there is room for its row.
    private(set) var isNextDue = false
    private var hasHadExchange = false
    private var isAwaitingRoom = false
    /// When the last exchange ended.
    var idleSince: NIODeadline
    /// When the head began to come that is not whole yet.
    var headSince: NIODeadline?
    /// Whether the client takes what is written, since a look found that there was no room for more; `nil` while there is.
    var unread: SocketProgress?

    init(connection: ClientConnection, codec: any ClientCodec) {
        self.connection = connection
        idleSince = connection.loop.now
        self.codec = codec
    }

    var loop: ProxyLoop { connection.loop }

    // MARK: Life

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.watch.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        loop.watch.remove(self)
    }

    // MARK: From the client

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        switch closing {
        case .no: take(unwrapInboundIn(data))
        case .writing: break
        case .lingering: drain(unwrapInboundIn(data))
        }
    }

    private func take(_ part: MessagePart) {
        switch part {
        case .request(let head): begin(head)
        case .body(let bytes):
            guard live?.machine.isHeld == false else { return }
            // What a client sends on a WebSocket that the upstream has ended does not prolong it.
            if live?.isSwitched == false || live?.machine.isEarly == false { live?.active = loop.now }
            live?.tap.body(.request, bytes, loop.lane)
            if live?.closed == nil { tell(.requestBody(bytes)) }
            if live?.isSwitched == true { webSocketAnswered() }
        case .end(let trailers):
            guard live?.machine.isRequestEnded == false else { return }
            guard live?.isSwitched == false else { return webSocketEnded(.request) }
            live?.requestEnded = loop.now
            live?.tap.exchange.request.trailers = trailers
            noteReplaced(trailers, live?.head?.version, .request)
            tell(.requestEnd(trailersPart(trailers, of: live?.head?.fields, .request)))
        case .response: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        if live == nil { headSince = codec.bufferedBytes > 0 ? headSince ?? loop.now : nil }
        // A stream's read can be answered at once, within the effect that asked for it: what was read is not written yet.
        if isPerforming { owesFlush = true } else { flushUpstream() }
    }

    /// Sends what was written upstream, or leaves that to the end of the read burst; a new stream has its number from then on.
    func flushUpstream() {
        guard !isReading, let upstream = live?.upstream else { return }
        upstream.flush()
        guard live?.tap.exchange.upstreamStream == nil, let number = upstream.streamID else { return }
        live?.tap.exchange.upstreamStream = number
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            unread = nil
            live?.upstream?.resumeRead()
            resumeSupply()
        }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is HTTP2Preface {
            changeToHTTP2()
            return
        }
        guard case .some(ChannelEvent.inputClosed) = event as? ChannelEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        isInputClosed = true
        inputEnded()
    }

    /// Says what it means for the exchange under way that the client sends nothing more.
    func inputEnded() {
        guard let live else {
            if !isConnecting, !isNextDue { end() }
            return
        }
        if !live.machine.isRequestEnded {
            tell(
                .clientGone(
                    clientFailure(
                        .request,
                        .closed,
                        "The client closed the connection before its request was complete."
                    )
                )
            )
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isInputClosed = true
        if codec.stream == nil { connection.bound.close() }
        abandonDial()
        if live != nil, !endIfClosed() { tell(.clientGone(connectionEnded)) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let malformed as MalformedMessage:
            // The rest of a request that has had its answer is no other one.
            if live != nil || mayBegin { refuse(malformed) }
        case let closed as NIOHTTP2Errors.StreamClosed:
            let own = codec.stream?.resetCode(of: closed.streamID)
            // The upstream has done nothing wrong where the client has.
            live?.resetCode = own == nil ? closed.errorCode : .cancel
            let why =
                own.map { "The client broke the rules of HTTP/2 on the stream, which was reset (\($0.name))." }
                ?? "The client reset the stream (\(closed.errorCode.name))."
            if live != nil { tell(.clientGone(clientFailure(.deliver, .reset, why))) }
        default:
            if live != nil, !endIfClosed() {
                tell(
                    .clientGone(
                        clientFailure(
                            .deliver,
                            .reset,
                            "The client's connection broke before it had the whole response."
                        )
                    )
                )
            }
            context.close(promise: nil)
        }
    }

    /// Why the client does not get the rest: it has left, or its connection was ended with all its streams.
    private var connectionEnded: ExchangeFailure {
        guard codec.stream?.endsForCrossedReset == true else {
            let message = "The client closed the connection before it had the whole response."
            return clientFailure(.deliver, .closed, message)
        }
        let message = HTTP2ClientConnection.crossedReset
        return ExchangeFailure(side: .proxy, phase: .deliver, cause: .closed, message: message)
    }

    func clientFailure(_ phase: ExchangeFailure.Phase, _ cause: Cause, _ message: String) -> ExchangeFailure {
        ExchangeFailure(side: .client, phase: phase, cause: cause, message: message)
    }

    /// Whether what comes may begin an exchange: a stream has one, and on a connection that is being ended none begins.
    private var mayBegin: Bool {
        guard case .no = closing else { return false }
        return codec.stream == nil || !hasHadExchange
    }

    // MARK: Reading only what can be passed on

    func read(context: ChannelHandlerContext) {
        if takesRequest { context.read() } else { isReadWithheld = true }
    }

    private var takesRequest: Bool {
        // What comes behind a CONNECT leaves no row: it is the tunnel's, or the connection ends.
        if isConnecting { return codec.bufferedBytes < loop.configuration.pipelineLimitBytes }
        switch closing {
        case .no: break
        case .writing: return false
        // What is thrown away leaves no row.
        case .lingering: return true
        }
        // Before a request too: each leaves a row.
        if loop.lane.isCongested {
            awaitRoom()
            return false
        }
        guard let live else { return true }
        // A complete request: reading on shows when the client leaves, up to what may be sent ahead.
        if live.machine.isRequestEnded { return codec.bufferedBytes < loop.configuration.pipelineLimitBytes }
        return live.machine.takesRequest && live.upstream?.isWritable != false
    }

    /// Whether more of the response can be taken from the upstream now.
    var takesResponse: Bool {
        if loop.lane.isCongested {
            awaitRoom()
            return false
        }
        return context?.channel.isWritable ?? true
    }

    func resumeRead() {
        guard isReadWithheld, let context, takesRequest else { return }
        isReadWithheld = false
        context.read()
    }

    /// Lets the next request begin, once there is room for its row.
    ///
    /// Without this a client could send requests ahead that each leave a row, whether the record takes rows or not.
    func beginNext() {
        // The socket may have turned out to be broken.
        guard case .no = closing, let context, context.channel.isActive else { return }
        isNextDue = loop.lane.isCongested
        guard !isNextDue else { return awaitRoom() }
        codec.resume()
        resumeRead()
        // Once the parts that were just read are told.
        if isInputClosed { loop.loop.assumeIsolated().execute { [self] in inputEnded() } }
    }

    private func awaitRoom() {
        guard !isAwaitingRoom else { return }
        isAwaitingRoom = true
        loop.lane.whenRoom { [self] in
            isAwaitingRoom = false
            if isNextDue { beginNext() }
            resumeRead()
            live?.upstream?.resumeRead()
            resumeSupply()
        }
    }

    func upstreamBecameWritable() { resumeRead() }

    // MARK: The machine

    /// Tells the machine a fact about the exchange under way and performs what follows from it.
    func tell(_ fact: Fact) {
        facts.append(fact)
        guard !isPerforming else { return }
        isPerforming = true
        while let fact = facts.popFirst() {
            guard live != nil else {
                facts.removeAll()
                break
            }
            live?.machine.handle(fact, &effects)
            var index = 0
            while index < effects.count {
                perform(effects[index])
                index += 1
            }
            effects.removeAll(keepingCapacity: true)
        }
        isPerforming = false
        if owesFlush {
            owesFlush = false
            flushUpstream()
        }
    }

    /// Ends the exchange under way; nothing told about it afterwards reaches the machine.
    func clearLive() {
        facts.removeAll()
        if live != nil { connection.exchangeEnded() }
        if let upstream = live?.unsettled { loop.pool.giveBack(upstream) }
        live = nil
        hasHadExchange = true
        idleSince = loop.now
        headSince = nil
    }
}
