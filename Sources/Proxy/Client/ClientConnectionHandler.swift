import NIOCore
import Traffic

/// A client's connection of HTTP/1: one exchange after another, a tunnel, or HTTP/2 behind its preface.
///
/// The handler does what its state machine says; the exchange under way does the rest.
final class ClientConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler, ClientHandler {
    typealias InboundIn = MessagePart
    typealias InboundOut = Never
    typealias OutboundIn = Never
    typealias OutboundOut = WirePart

    let connection: ClientConnection
    /// The codec, which stands before it in the pipeline.
    let codec: HTTP1Codec
    private(set) var exchange: ExchangeShell?
    private(set) var context: ChannelHandlerContext?
    /// The rules.
    var machine: ConnectionStateMachine
    /// The dial of a CONNECT while it is under way; else `nil`.
    var dialing: TunnelDial?

    private(set) var isReading = false
    var isReadWithheld = false
    var isAwaitingRoom = false
    var unread: SocketProgress?
    var unsent: [RuleRoom] = []

    /// The handler of a connection, behind its codec.
    init(connection: ClientConnection, codec: HTTP1Codec) {
        self.connection = connection
        self.codec = codec
        machine = ConnectionStateMachine(now: connection.loop.now)
    }

    var version: HTTPVersion { .http11 }
    var streamID: Int? { nil }
    var ownBreak: ExchangeFailure? { nil }

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
        let part = unwrapInboundIn(data)
        guard machine.isOpen else {
            if case .body(let bytes) = part { perform(machine.handle(.cameBehind(bytes.readableBytes))) }
            return
        }
        switch part {
        case .request(let head): open(head)
        case .body(let bytes): exchange?.clientSent(bytes)
        case .end(let trailers): exchange?.clientEnded(trailers)
        case .response: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        guard let exchange else {
            _ = machine.handle(.came(headBytes: codec.bufferedBytes, now: loop.now))
            return
        }
        exchange.clientBurstEnded()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { writabilityChanged(context) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is HTTP2Preface { return changeToHTTP2() }
        guard case .some(ChannelEvent.inputClosed) = event as? ChannelEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        isReading = false
        perform(machine.handle(.inputClosed))
    }

    func channelInactive(context: ChannelHandlerContext) {
        _ = machine.handle(.left)
        connection.bound.close()
        abandonDial()
        exchange?.clientLeft()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let malformed = error as? MalformedMessage else {
            exchange?.clientBroke()
            return context.close(promise: nil)
        }
        if let exchange { exchange.refuse(malformed) } else if machine.isOpen { refuse(malformed) }
    }

    // MARK: Exchanges

    private func open(_ head: RequestHead) {
        switch RequestOpening(of: head, on: connection, isStream: false, local: { channel?.localAddress }) {
        case .exchange(let subject): begin(subject, persists: keepsConnection(head)).begin()
        case .refusal(let subject, let failure, let code): begin(subject, persists: false).refuse(failure, code: code)
        case .lateRefusal(let subject, let failure):
            begin(subject, persists: keepsConnection(head)).refuseLate(failure)
        case .tunnel(let endpoint):
            _ = machine.handle(.connecting)
            judgeTunnel(head, endpoint)
        }
    }

    /// Makes an exchange the one under way.
    func begin(_ subject: ExchangeSubject, persists: Bool) -> ExchangeShell {
        _ = machine.handle(.exchangeBegan)
        let begun = ExchangeShell(client: self, subject, persists: persists)
        exchange = begun
        return begun
    }

    /// Whether the client's connection may carry another exchange after a request.
    ///
    /// None may follow a CONNECT that is refused (RFC 9931). The bytes behind it may be meant for the tunnel, and whoever made the client connect may
    /// have chosen them. As requests to us they would have the client's login and its place in the network.
    private func keepsConnection(_ head: RequestHead) -> Bool {
        head.version != .http10 && head.method != "CONNECT" && HopByHop.persists(head.fields, version: head.version)
    }

    /// Answers bytes that are no request, and records them.
    private func refuse(_ malformed: MalformedMessage) {
        let kept = malformed.kept(limitBytes: loop.configuration.startLineLimitBytes, from: "the client")
        var endpoint: Endpoint?
        if case .inside(_, let key) = connection.route { endpoint = key.endpoint }
        let subject = ExchangeSubject(unread: kept.bytes, endpoint: endpoint, version: nil)
        let begun = begin(subject, persists: false)
        if let warning = kept.warning { begun.tap.exchange.warnings.append(warning) }
        begun.refuse(malformed)
    }

    func ended(_ exchange: ExchangeShell, isWhole: Bool) {
        self.exchange = nil
        guard let context, context.channel.isActive else { return }
        // A client may send several requests at once and close its side: each of them is answered.
        let hasMore = !machine.isInputClosed || codec.bufferedBytes > 0
        let mayFollow = exchange.persists && isWhole && hasMore && connection.replay == nil
        if mayFollow { context.flush() }
        perform(machine.handle(.exchangeEnded(mayFollow: mayFollow, hasRoom: !loop.lane.isCongested, now: loop.now)))
    }

    func broken(_ exchange: ExchangeShell) {
        self.exchange = nil
        if let channel { ConnectionEnd.reset(channel) }
    }

    func left(_ exchange: ExchangeShell) {
        self.exchange = nil
        perform(machine.handle(.exchangeEnded(mayFollow: false, hasRoom: true, now: loop.now)))
    }

    // MARK: What the state machine says

    private func perform(_ effect: ConnectionStateMachine.Effect?) {
        guard let effect, let context else { return }
        switch effect {
        case .next:
            codec.resume()
            resumeRead()
            // Once the parts that were just read are told.
            guard machine.isInputClosed else { return }
            loop.loop.assumeIsolated().execute { [self] in perform(machine.handle(.inputClosed)) }
        case .awaitRoom: roomCame()
        case .tellExchange: exchange?.clientStopped()
        case .endOutput:
            unread = SocketProgress(since: loop.now)
            ConnectionEnd.endOutput(context) { [self] in perform(machine.handle(.written(now: loop.now))) }
        case .closeWhenWritten:
            unread = SocketProgress(since: loop.now)
            context.flush()
            ConnectionEnd.whenWritten(context.channel) { [self] in close() }
        case .readOut:
            // The codec passes everything on unread: a codec that waited for the next request would hold it all.
            codec.becomeRaw()
            resumeRead()
        case .refuseSlowHead: refuseSlowHead()
        case .close: close()
        case .leave:
            _ = codec.takeOver()
            LeavingConnection.leaveReading(context.channel, loop)
        }
    }

    private func close() {
        if let context, context.channel.isActive { context.close(promise: nil) }
    }

    /// Answers a head that did not end in time, and records what came of it.
    private func refuseSlowHead() {
        let problem = MessageProblem("The request head was not complete in time.", code: 408, cause: .timeout)
        refuse(MalformedMessage(problem: problem, bytes: codec.takeOver()))
    }

    // MARK: Reading only what can be passed on

    func read(context: ChannelHandlerContext) {
        if takesRequest { context.read() } else { isReadWithheld = true }
    }

    var takesRequest: Bool {
        // Bytes behind a CONNECT leave no row: they are the tunnel's, or the connection ends.
        if machine.isConnecting { return codec.bufferedBytes < loop.configuration.pipelineLimitBytes }
        // Bytes that are thrown away leave no row.
        guard machine.isOpen else { return machine.isLingering }
        // Before a request too: each leaves a row.
        guard !isFull else { return false }
        guard let exchange else { return true }
        // Behind a complete request reading on shows when the client leaves; what is sent ahead has a limit.
        if exchange.machine.isRequestEnded { return codec.bufferedBytes < loop.configuration.pipelineLimitBytes }
        return exchange.takesRequest
    }

    /// Lets the next request begin, which waited for room in the record.
    ///
    /// Without that wait a client could send requests ahead that each leave a row, whether the record takes rows or not.
    func roomCame() {
        guard machine.isWaiting, !isFull else { return }
        perform(machine.handle(.room(now: loop.now)))
    }

    func goOnRaw() {
        codec.becomeRaw()
        resumeRead()
    }

    // MARK: Time

    func look(_ now: NIODeadline) {
        if let exchange { return exchange.look(now) }
        if machine.isEnding {
            guard let channel, now - unreadSince(now) >= loop.configuration.idleTimeout else { return }
            return ConnectionEnd.reset(channel)
        }
        let (configuration, isPaused) = (loop.configuration, isReadWithheld && loop.lane.isCongested)
        let limits = ConnectionStateMachine.Limits(
            head: configuration.headTimeout,
            keepAlive: configuration.keepAliveTimeout
        )
        perform(machine.handle(.look(now: now, limits: limits, isPaused: isPaused)))
    }

    func drain() -> Bool {
        // The machine first: the exchange may end when it is told, and nothing may follow it.
        perform(machine.handle(.drain))
        exchange?.persists = false
        exchange?.drain()
        return exchange != nil || machine.isConnecting || machine.isEnding
    }

    func cut() -> Bool {
        if machine.isEnding, let channel { ConnectionEnd.reset(channel) }
        return cutDial() || exchange?.cut() == true
    }

    func look(_ progress: inout SocketProgress, _ now: NIODeadline) {
        if let channel { progress.look(channel, stream: nil, now) }
    }

    func cutOff() { if let channel { ConnectionEnd.reset(channel) } }
}
