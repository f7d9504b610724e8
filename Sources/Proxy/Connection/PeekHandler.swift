import NIOCore
import NIOTLS
import Traffic

/// Waits for the first bytes of a connection whose destination is known and builds the pipeline they call for; while that takes time, it withholds reading.
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
    /// A tunnel is being dialled: what comes meanwhile belongs to it.
    private var isDialing = false
    /// The interception whose ClientHello is still being read.
    private var hello: TLSInterception?
    private var isReadWithheld = false
    private var isInputClosed = false
    private var context: ChannelHandlerContext?
    private var deadline = NIODeadline.distantFuture
    private let began = NIODeadline.now()
    private let started = WallClock.microseconds()

    /// - Parameters:
    ///   - connection: the client's.
    ///   - destination: where it goes.
    ///   - dialed: the connection there, unless it is dialled later.
    init(connection: ClientConnection, destination: Destination, dialed: DialedUpstream?) {
        self.connection = connection
        self.destination = destination
        self.dialed = dialed
    }

    private var loop: ProxyLoop { connection.loop }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        deadline = .now() + loop.configuration.peekTimeout
        loop.watch.add(self)
        guard isPassedThrough else { return }
        // After what the client had sent early is taken.
        loop.loop.assumeIsolated().execute { [self] in
            if !isDecided, self.context != nil { tunnel() }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        loop.watch.remove(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDialing {
            first.writeImmutableBuffer(unwrapInboundIn(data))
        } else if isDecided {
            context.fireChannelRead(data)
        } else {
            take(unwrapInboundIn(data))
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(ChannelEvent.inputClosed) = event as? ChannelEvent {
            abandonHello(ChannelError.eof)
            endOfInput()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        abandonHello(ChannelError.eof)
        dialed?.channel.close(promise: nil)
        dialed = nil
        context.fireChannelInactive()
    }

    func read(context: ChannelHandlerContext) {
        if isDecided, hello == nil { isReadWithheld = true } else { context.read() }
    }

    func look(_ now: NIODeadline) {
        guard now >= deadline else { return }
        if isDecided {
            abandonHello(HandshakeTimeout())
        } else if destination.isAlwaysHTTP {
            plain()
        } else {
            tunnel()
        }
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool {
        context?.close(promise: nil)
        return false
    }

    /// Takes the next of the first bytes.
    func take(_ bytes: ByteBuffer) {
        first.writeImmutableBuffer(bytes)
        guard !isPassedThrough else {
            tunnel()
            return
        }
        switch NextProtocol(first.readableBytesView) {
        case .undecided: break
        case .tls: intercept()
        case .http1: plain()
        case .opaque: if destination.isAlwaysHTTP { plain() } else { tunnel() }
        }
    }

    /// The client will send nothing more.
    func endOfInput() {
        isInputClosed = true
        guard !isDecided else { return }
        if first.readableBytes > 0 {
            if destination.isAlwaysHTTP { plain() } else { tunnel() }
        } else {
            dialed?.channel.close(promise: nil)
            dialed = nil
            context?.close(promise: nil)
        }
    }

    // MARK: What it turns out to be

    private func plain() {
        isDecided = true
        let key = destination.key(serverName: nil)
        let inside = connection.inside(
            destination.scheme(isSecure: false),
            key,
            peer: connection.peer,
            naming: destination.naming(serverName: nil, isSecure: false)
        )
        if let dialed {
            self.dialed = nil
            let pool = NIOLoopBound(loop.pool, eventLoop: loop.loop)
            loop.pool.open(dialed, key: key).assumeIsolated().whenSuccess { pool.value.put($0.value) }
        }
        hand { channel in try ClientPipeline.http1(channel, inside) }
    }

    /// Whether the host is never to be read.
    private var isPassedThrough: Bool { loop.shared.isPassedThrough(destination) }

    private func tunnel() {
        isDecided = true
        isDialing = true
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        let dialing = dialed.map { loop.loop.makeSucceededFuture($0) } ?? loop.pool.dial(destination.endpoint)
        dialed = nil
        dialing.assumeIsolated().whenComplete { bound.value.dialed($0) }
    }

    private func dialed(_ result: Result<DialedUpstream, any Error>) {
        isDialing = false
        switch result {
        case .success(let dialed):
            guard let context, context.channel.isActive else {
                dialed.channel.close(promise: nil)
                return
            }
            let tunnel = Tunnel(
                connection: connection,
                endpoint: destination.endpoint,
                request: destination.request,
                dialed: dialed,
                started: started
            )
            hand { channel in try tunnel.join(client: channel, upstream: dialed.channel) }
            if isInputClosed { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        case .failure(let error):
            let endpoint = destination.endpoint
            LostConnection(connection: connection, endpoint: endpoint, began: began, started: started)
                .record(request: destination.request, UpstreamConnector.failure(error, endpoint))
            context?.close(promise: nil)
        }
    }

    private func intercept() {
        isDecided = true
        let interception = TLSInterception(connection: connection, destination: destination, dialed: dialed)
        dialed = nil
        hello = interception
        deadline = .now() + loop.configuration.handshakeTimeout
        interception.ready = { [weak self] in self?.leave() }
        guard let context else { return }
        do {
            // The library reads the ClientHello for its server name; it keeps the bytes until the pipeline behind it is ready.
            let reader = ByteToMessageHandler(
                SNIHandler { [weak self] result in
                    self?.hello = nil
                    return interception.begin(result)
                }
            )
            try context.pipeline.syncOperations.addHandler(reader, position: .after(self))
            interception.channel = context.channel
            context.fireChannelRead(wrapInboundOut(first))
            context.fireChannelReadComplete()
        } catch {
            context.close(promise: nil)
        }
    }

    /// The ClientHello did not come to its end.
    private func abandonHello(_ error: any Error) {
        guard let hello else { return }
        self.hello = nil
        hello.abandon(error)
    }

    /// Builds the next pipeline behind this handler, hands over what came, and leaves.
    private func hand(_ build: (any Channel) throws -> Void) {
        guard let context else { return }
        do {
            try build(context.channel)
            context.fireChannelRead(wrapInboundOut(first))
            context.fireChannelReadComplete()
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
