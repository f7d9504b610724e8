import NIOCore
import NIOHTTP2
import Traffic

/// The handler of a client's HTTP/2 connection as a whole.
///
/// It counts the streams, ends the connection when it is idle or misused or the proxy stops, and records what belongs to no stream.
final class HTTP2ClientConnection: ChannelDuplexHandler, Watched {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let connection: ClientConnection
    private let splitter: FrameSplitter
    private var context: ChannelHandlerContext?
    /// The streams that are open.
    private var streams: [ObjectIdentifier: ClientStreamHandler] = [:]
    /// The number of the last stream that came.
    private var lastStreamID = HTTP2StreamID.rootStream
    private var isGoingAway = false
    /// Whether the client broke the rules; later errors follow from that breach and are not recorded again.
    private var hasFailed = false
    /// Whether the row of a breach waits for its commit, which closes the connection; nothing more is read.
    private var isHeld = false
    /// Whether the client has ended its side while no exchange was under way.
    private var isInputEnded = false
    /// Whether the connection closes once its client has what the streams have written.
    private var isLeaving = false
    /// When the last exchange ended, or the connection began to speak HTTP/2.
    private var idleSince: NIODeadline

    /// - Parameters:
    ///   - connection: the connection.
    ///   - splitter: splits the connection's frames.
    init(connection: ClientConnection, splitter: FrameSplitter) {
        self.connection = connection
        self.splitter = splitter
        idleSince = connection.loop.now
    }

    private var loop: ProxyLoop { connection.loop }

    /// Begins a stream, which has a channel of its own with this handler.
    func opened(_ stream: any Channel, _ handler: ClientStreamHandler) {
        streams[ObjectIdentifier(handler)] = handler
        if let number = try? stream.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID) {
            lastStreamID = max(lastStreamID, number)
        }
        stream.closeFuture.assumeIsolated().whenComplete { [self] _ in
            streams[ObjectIdentifier(handler)] = nil
            guard streams.isEmpty, isGoingAway else { return }
            // After the flush of this tick, which holds the end of the stream.
            loop.loop.assumeIsolated().execute { [self] in leave() }
        }
    }

    /// A stream is over; its channel is about to close.
    func streamEnded() {
        if isGoingAway, streams.values.allSatisfy(\.isOver) { splitter.ignoresInput = true }
    }

    /// The exchange of a stream ended.
    func exchangeEnded() { idleSince = loop.now }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.watch.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        loop.watch.remove(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func read(context: ChannelHandlerContext) { if !isHeld { context.read() } }

    func channelInactive(context: ChannelHandlerContext) {
        loop.watch.remove(self)
        connection.bound.close()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(ChannelEvent.inputClosed) = event as? ChannelEvent {
            inputEnded(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard HTTP2Settings.endsConnection(error) else { return }
        guard error is any NIOHTTP2Error else {
            hasFailed = true
            closeUnlessLeaving(context)
            return
        }
        // Behind the last stream of a connection that goes away the library takes no frame, not even its own: that is no breach.
        if hasFailed || isGoingAway && error is NIOHTTP2Errors.IOOnClosedConnection { return }
        hasFailed = true
        isHeld = true
        record(error) { [self] in
            isHeld = false
            // The connection closes behind what was written by now.
            for stream in Array(streams.values) { stream.breakOff() }
            let isOurs = splitter.endsForCrossedReset
            leave(within: isOurs ? loop.configuration.idleTimeout : loop.configuration.lastWordTimeout)
        }
    }

    /// The client has ended its side.
    ///
    /// HTTP/2 knows no half-closed connection: a client that waits for a response has left. One that does not may still read what was written.
    private func inputEnded(_ context: ChannelHandlerContext) {
        guard streams.values.allSatisfy({ $0.exchange == nil }) else {
            isGoingAway = true
            return closeUnlessLeaving(context)
        }
        guard !isHeld else { return }
        isInputEnded = true
        goAway()
        endShutStreams(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isInputEnded { endShutStreams(context) }
        context.fireChannelWritabilityChanged()
    }

    /// Resets the streams whose windows are shut, which a client that has ended its side cannot open any more.
    ///
    /// What the windows allow has left where the connection has room; before that a reset would throw it away.
    private func endShutStreams(_ context: ChannelHandlerContext) {
        guard context.channel.isWritable else { return }
        for stream in Array(streams.values) { stream.cutOff() }
    }

    /// Closes the connection where it breaks, or its client has left; where the client is to have what was written, that is waited for.
    private func closeUnlessLeaving(_ context: ChannelHandlerContext) {
        if !isHeld, !isLeaving { context.close(promise: nil) }
    }

    /// Records an error that belongs to no exchange: a broken preface, a flood, a frame against the rules.
    private func record(_ error: any Error, then: @escaping () -> Void) {
        var endpoint: Endpoint?
        var scheme: Scheme?
        if case .inside(let inside, let key) = connection.route {
            endpoint = key.endpoint
            scheme = inside
        }
        var exchange = Exchange(
            timeline: Timeline(started: connection.loop.timeOfDay),
            method: "",
            scheme: scheme,
            host: endpoint?.host ?? "",
            port: endpoint?.port ?? 0,
            target: "",
            request: Message(head: ByteBuffer()),
            client: connection.peer,
            outcome: .failed
        )
        exchange.version = .http2
        exchange.failure = failure(error)
        connection.record(exchange, then: then)
    }

    /// Why a connection ends though its client did nothing wrong (`ClientStreams`).
    static let crossedReset =
        "The proxy had reset a stream, and cannot read the trailers that were on their way then: the connection was closed."

    private func failure(_ error: any Error) -> ExchangeFailure {
        let isOurs = splitter.endsForCrossedReset
        let rule = String(describing: type(of: error))
        return ExchangeFailure(
            side: isOurs ? .proxy : .client,
            phase: .request,
            cause: .http2,
            message: isOurs
                ? Self.crossedReset
                : "The client broke the rules of HTTP/2 and the connection was closed (\(rule))."
        )
    }

    // MARK: Time

    func look(_ now: NIODeadline) {
        // An open stream ends itself, after what its client has still to read.
        guard streams.isEmpty, !isHeld, !isLeaving, now - idleSince >= loop.configuration.keepAliveTimeout
        else { return }
        goAway()
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool {
        // `CommitHold` counts this as under way.
        if isHeld { return false }
        goAway()
        // A connection that is left is counted as such.
        return !streams.isEmpty
    }

    /// Ends the connection, on which no stream is open.
    ///
    /// The client is told which stream was the last that came: a request on its way meets a closed connection, and may be sent again elsewhere.
    private func leave() {
        guard !isHeld, !isLeaving, context?.channel.isActive == true else { return }
        sendGoAway(lastStreamID)
        leave(within: loop.configuration.idleTimeout)
    }

    /// Closes the connection once its client has what was written, or has taken nothing for the time; what still comes is thrown away.
    private func leave(within limit: TimeAmount) {
        guard let context else { return }
        isLeaving = true
        splitter.ignoresInput = true
        context.flush()
        LeavingConnection.leaveReading(context.channel, loop, within: limit)
    }

    /// Tells the client that no more streams are taken, and closes the connection where none is open.
    ///
    /// A stream whose exchange is over may still have bytes that wait for its window.
    private func goAway() {
        let isFirst = !isGoingAway
        isGoingAway = true
        if streams.isEmpty {
            leave()
        } else if isFirst, !isLeaving {
            // The library refuses a stream that is on its way, with a reset.
            splitter.isGoingAway = true
            sendGoAway(.maxID)
        }
    }

    /// Writes a GOAWAY frame without an error.
    private func sendGoAway(_ lastStreamID: HTTP2StreamID) {
        let payload = HTTP2Frame.FramePayload.goAway(lastStreamID: lastStreamID, errorCode: .noError, opaqueData: nil)
        context?.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
    }
}
