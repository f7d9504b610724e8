import NIOCore
import Traffic

/// Waits for the first bytes of a connection whose destination is known, and builds the pipeline for what they are.
///
/// It withholds reads while the pipeline is being built.
final class PeekHandler: ChannelDuplexHandler, RemovableChannelHandler, Watched {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: ClientConnection
    private let destination: Destination
    private var dialed: DialedUpstream?
    private var first = ByteBuffer()
    private var isDecided = false
    /// Whether the next pipeline is in place and has got the first bytes.
    private var isHanded = false
    /// Whether the row of a connection that goes nowhere is recorded; only its end is left.
    private var isOver = false
    /// The dial for a tunnel, until the dial is over.
    private var dial: Dial?
    /// The interception that is being set up, until its pipeline is in place.
    private var interception: TLSInterception?
    /// The reader of a ClientHello that is not complete yet.
    private var hello: ClientHelloReader?
    private var isReadWithheld = false
    private var isInputClosed = false
    private var context: ChannelHandlerContext?
    private var deadline = NIODeadline.distantFuture
    /// When it began, microseconds since 1970.
    private let started: Int64
    private let began: NIODeadline

    /// - Parameters:
    ///   - connection: the client's.
    ///   - destination: where it goes.
    ///   - dialed: the connection there, unless it is dialled later.
    init(connection: ClientConnection, destination: Destination, dialed: DialedUpstream?) {
        self.connection = connection
        self.destination = destination
        self.dialed = dialed
        started = connection.loop.timeOfDay
        began = connection.loop.now
    }

    private var loop: ProxyLoop { connection.loop }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        deadline = loop.now + loop.configuration.peekTimeout
        loop.watch.add(self)
        guard isPassedThrough else { return }
        // Once what the client had sent early is taken.
        loop.loop.assumeIsolated().execute { [self] in
            if !isDecided, self.context != nil { tunnel() }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        loop.watch.remove(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isHanded {
            context.fireChannelRead(data)
        } else if isDecided {
            first.writeImmutableBuffer(unwrapInboundIn(data))
        } else {
            take(unwrapInboundIn(data))
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(ChannelEvent.inputClosed) = event as? ChannelEvent, !isHanded {
            // The next handler is told of it once it is in place.
            endOfInput()
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        abandonHello(ChannelError.eof)
        if !isDecided { leaveUnused() }
        abandonDial()
        context.fireChannelInactive()
    }

    func read(context: ChannelHandlerContext) {
        if isDecided { isReadWithheld = true } else { context.read() }
    }

    func look(_ now: NIODeadline) {
        guard now >= deadline else { return }
        if hello != nil {
            abandonHello(HandshakeTimeout())
        } else if !isDecided {
            noTLS()
        }
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool {
        // `CommitHold` counts a refusal as under way.
        if isOver { return false }
        // A dial, or the upstream's handshake.
        if isDecided { return true }
        context?.close(promise: nil)
        return false
    }

    func cut() -> Bool {
        guard isDecided, !isHanded, !isOver else { return false }
        isOver = true
        giveUp()
        row.record(ConnectRow.stopped)
        context?.close(promise: nil)
        return true
    }

    /// Takes what the client had sent before its CONNECT or SOCKS request was answered; with `isAll` nothing more comes.
    func takeEarly(_ bytes: ByteBuffer, isAll: Bool) {
        isInputClosed = isAll
        if bytes.readableBytes > 0 { take(bytes) }
        if isAll { endOfInput() }
    }

    /// Takes the next of the first bytes.
    private func take(_ bytes: ByteBuffer) {
        first.writeImmutableBuffer(bytes)
        guard !isPassedThrough else {
            tunnel()
            return
        }
        if hello != nil {
            readHello(bytes)
            return
        }
        switch NextProtocol(first.readableBytesView) {
        case .undecided: break
        case .tls:
            hello = ClientHelloReader()
            deadline = loop.now + loop.configuration.handshakeTimeout
            readHello(first)
        case .http1: plain(.http1)
        case .http2: plain(.priorKnowledge)
        case .opaque: noTLS()
        }
    }

    /// Notes that the client will send nothing more.
    private func endOfInput() {
        isInputClosed = true
        abandonHello(ChannelError.eof)
        // A handshake needs both halves of the connection.
        if let interception, interception.awaitsHandshake {
            abandonDial()
            context?.close(promise: nil)
        }
        guard !isDecided else { return }
        if first.readableBytes > 0 {
            noTLS()
        } else {
            leaveUnused()
            context?.close(promise: nil)
        }
    }

    /// Closes the upstream and records a tunnel in which nothing was sent, or too little to tell what it is.
    private func leaveUnused() {
        (isDecided, isOver) = (true, true)
        dialed?.channel.close(promise: nil)
        dialed = nil
        // Where everything is HTTP, a connection without a request leaves no row.
        if !destination.isAlwaysHTTP { row.recordUnused() }
    }

    private var row: ConnectRow {
        ConnectRow(
            connection: connection,
            endpoint: destination.endpoint,
            request: destination.request,
            started: started,
            began: began
        )
    }

    // MARK: What it turns out to be

    /// Whether the host is never to be read.
    private var isPassedThrough: Bool { loop.shared.isPassedThrough(destination) }

    /// Serves what is not TLS and not known to be HTTP; where everything has to be HTTP, the codec says what is wrong with it.
    private func noTLS() {
        if destination.isAlwaysHTTP { plain(.http1) } else { tunnel() }
    }

    private func plain(_ offer: UpstreamKey.Offer) {
        isDecided = true
        let key = destination.key(serverName: nil, offer: offer, reach: connection.reach)
        // A listener that answers by itself is a proxy too for clients without TLS.
        let inside =
            destination.source == .own
            ? connection
            : connection.inside(
                destination.scheme(isSecure: false),
                key,
                peer: connection.peer,
                naming: destination.naming(serverName: nil, isSecure: false)
            )
        if let dialed = loop.pool.current(dialed.take()) {
            _ = loop.pool.establish(dialed, key: key)
        }
        hand { channel in
            if offer == .priorKnowledge {
                try ClientPipeline.http2(channel, inside)
            } else {
                try ClientPipeline.http1(channel, inside)
            }
        }
    }

    private func tunnel() {
        isDecided = true
        guard loop.rules != nil, destination.isUnjudged else { return openTunnel() }
        connection.judgeTunnel(to: destination.endpoint) { [self] verdict in
            guard !isOver else { return }
            guard let context, context.channel.isActive else {
                isOver = true
                dialed.take()?.channel.close(promise: nil)
                return row.recordClientLeft()
            }
            guard let verdict else { return openTunnel() }
            isOver = true
            dialed.take()?.channel.close(promise: nil)
            row.refuse(context.channel, by: verdict.block, verdict.use, hasStopped: isInputClosed)
        }
    }

    private func openTunnel() {
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        let dial = connection.newDial()
        self.dial = dial
        let dialing =
            loop.pool.current(dialed.take()).map { loop.loop.makeSucceededFuture($0) }
            ?? loop.pool.dial(destination.endpoint, for: connection, as: dial)
        dialing.assumeIsolated().whenComplete { bound.value.dialed($0) }
    }

    /// Gives up the dial of a client that has left, and records it.
    private func abandonDial() {
        guard !isOver, dial != nil || interception?.dial != nil else { return }
        isOver = true
        giveUp()
        row.recordClientLeft()
    }

    private func giveUp() {
        interception?.giveUp()
        dial.take()?.giveUp()
    }

    private func dialed(_ result: Result<DialedUpstream, any Error>) {
        dial = nil
        let dialed: DialedUpstream
        switch result {
        case .success(let upstream) where isOver: return upstream.channel.close(promise: nil)
        case .failure where isOver: return
        case .success(let upstream): dialed = upstream
        case .failure(let error):
            isOver = true
            row.record(error) { [self] in context?.close(promise: nil) }
            return
        }
        guard let context, context.channel.isActive else {
            dialed.channel.close(promise: nil)
            row.recordUnused()
            return
        }
        let tunnel = Tunnel(
            connection: connection,
            endpoint: destination.endpoint,
            request: destination.request,
            dialed: dialed,
            started: started
        )
        do {
            try tunnel.join(client: context.channel, upstream: dialed.channel)
        } catch {
            isOver = true
            dialed.channel.close(promise: nil)
            row.record(ConnectRow.lost(destination.endpoint)) { [self] in self.context?.close(promise: nil) }
            return
        }
        hand { _ in }
    }

    private func readHello(_ bytes: ByteBuffer) {
        guard let context, let reading = hello?.take(bytes) else { return }
        switch reading {
        case .incomplete: return
        // The TLS library is to say what is wrong with it.
        case .malformed: intercept(ClientHello(), context.channel)
        case .whole(let hello): intercept(hello, context.channel)
        }
    }

    private func intercept(_ hello: ClientHello, _ channel: any Channel) {
        isDecided = true
        self.hello = nil
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        let interception = makeInterception(channel)
        self.interception = interception
        interception.begin(hello).assumeIsolated().whenComplete { result in
            let peek = bound.value
            peek.interception = nil
            guard case .success = result else {
                peek.isOver = true
                return
            }
            peek.hand { _ in }
        }
    }

    private func makeInterception(_ channel: any Channel) -> TLSInterception {
        defer { dialed = nil }
        return TLSInterception(
            channel: channel,
            connection: connection,
            destination: destination,
            dialed: dialed
        )
    }

    /// Ends and records a connection whose ClientHello did not come to its end.
    private func abandonHello(_ error: any Error) {
        guard hello != nil, let context else { return }
        hello = nil
        (isDecided, isOver) = (true, true)
        makeInterception(context.channel).abandon(error)
    }

    /// Builds the next pipeline behind this handler, hands over the first bytes, and removes this handler.
    private func hand(_ build: (any Channel) throws -> Void) {
        guard let context else { return }
        do {
            try build(context.channel)
            isHanded = true
            context.fireChannelRead(wrapInboundOut(first))
            context.fireChannelReadComplete()
            if isInputClosed { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
            leave()
        } catch {
            context.close(promise: nil)
        }
    }

    private func leave() {
        guard let context else { return }
        let channel = context.channel
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
        channel.read()
    }
}
