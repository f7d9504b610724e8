import NIOCore
import NIOTLS
import Traffic

/// Waits for the first bytes inside a tunnel and builds the pipeline they call for; while that takes time, it withholds reading.
final class PeekHandler: ChannelDuplexHandler, RemovableChannelHandler, Watched {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: ClientConnection
    private let endpoint: Endpoint
    private let request: ByteBuffer
    private var dialed: DialedUpstream?
    private var first = ByteBuffer()
    private var isDecided = false
    /// The interception whose ClientHello is still being read.
    private var hello: TLSInterception?
    private var isReadWithheld = false
    private var isInputClosed = false
    private var context: ChannelHandlerContext?
    private var deadline = NIODeadline.distantFuture
    private let started = WallClock.microseconds()
    private let began = NIODeadline.now()

    /// - Parameters:
    ///   - connection: the client's.
    ///   - endpoint: where the tunnel goes.
    ///   - request: the head of the CONNECT.
    ///   - dialed: the connection there, unless one is known to be had.
    init(connection: ClientConnection, endpoint: Endpoint, request: ByteBuffer, dialed: DialedUpstream?) {
        self.connection = connection
        self.endpoint = endpoint
        self.request = request
        self.dialed = dialed
    }

    private var loop: ProxyLoop { connection.loop }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        deadline = .now() + loop.configuration.peekTimeout
        loop.watch.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        loop.watch.remove(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDecided { context.fireChannelRead(data) } else { take(unwrapInboundIn(data)) }
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
        if !isDecided { leaveUnused() }
        context.fireChannelInactive()
    }

    func read(context: ChannelHandlerContext) {
        if isDecided, hello == nil { isReadWithheld = true } else { context.read() }
    }

    func look(_ now: NIODeadline) {
        guard now >= deadline else { return }
        if isDecided { abandonHello(HandshakeTimeout()) } else { tunnel() }
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool {
        context?.close(promise: nil)
        return false
    }

    /// Takes the next of the first bytes.
    func take(_ bytes: ByteBuffer) {
        first.writeImmutableBuffer(bytes)
        switch NextProtocol(first.readableBytesView) {
        case .undecided: break
        case .tls: intercept()
        case .http1: plain()
        case .opaque: tunnel()
        }
    }

    /// The client will send nothing more.
    func endOfInput() {
        isInputClosed = true
        guard !isDecided else { return }
        if first.readableBytes > 0 {
            tunnel()
        } else {
            leaveUnused()
            context?.close(promise: nil)
        }
    }

    /// Lets go of the upstream and records a tunnel in which nothing was sent, or too little to tell what.
    private func leaveUnused() {
        isDecided = true
        dialed?.channel.close(promise: nil)
        dialed = nil
        row.recordUnused()
    }

    private var row: ConnectRow {
        ConnectRow(connection: connection, endpoint: endpoint, request: request, started: started, began: began)
    }

    // MARK: What it turns out to be

    private func plain() {
        isDecided = true
        let key = UpstreamKey(endpoint: endpoint, serverName: nil)
        let inside = ClientConnection(loop: loop, peer: connection.peer, route: .inside(.http, key))
        if let dialed {
            self.dialed = nil
            let pool = NIOLoopBound(loop.pool, eventLoop: loop.loop)
            loop.pool.open(dialed, key: key).assumeIsolated().whenSuccess { pool.value.put($0.value) }
        }
        hand { channel in try ClientPipeline.http1(channel, inside) }
    }

    private func tunnel() {
        isDecided = true
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        let dialing = dialed.map { loop.loop.makeSucceededFuture($0) } ?? loop.pool.dial(endpoint)
        dialed = nil
        dialing.assumeIsolated().whenComplete { result in
            let peek = bound.value
            let dialed: DialedUpstream
            switch result {
            case .success(let upstream): dialed = upstream
            case .failure(let error):
                peek.row.record(error)
                peek.context?.close(promise: nil)
                return
            }
            guard let context = peek.context else {
                dialed.channel.close(promise: nil)
                peek.row.recordUnused()
                return
            }
            let tunnel = Tunnel(
                connection: peek.connection,
                endpoint: peek.endpoint,
                request: peek.request,
                dialed: dialed,
                started: peek.started
            )
            peek.hand { channel in try tunnel.join(client: channel, upstream: dialed.channel) }
            if peek.isInputClosed { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        }
    }

    private func intercept() {
        isDecided = true
        let interception = TLSInterception(connection: connection, endpoint: endpoint, dialed: dialed, request: request)
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
