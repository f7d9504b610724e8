import NIOCore
import Traffic

/// Serves the handshake of a SOCKS 5 client, dials where it wants to go, and hands the connection to `PeekHandler`, as a CONNECT does.
final class SOCKS5Handler: ChannelDuplexHandler, RemovableChannelHandler, Watched {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        case negotiating
        case dialing(Endpoint, Dial)
        /// The last answer waits for its row's commit, as the end of a response does; later bytes are thrown away.
        case recording
        /// The last answer is on its way; later bytes are thrown away.
        case closing
    }

    private let connection: ClientConnection
    private var negotiation: SOCKS5Negotiation
    private var phase = Phase.negotiating
    private var isReadWithheld = false
    private var isInputClosed = false
    private var context: ChannelHandlerContext?
    private let began: NIODeadline
    /// When it began, microseconds since 1970.
    private let started: Int64
    private var deadline = NIODeadline.distantFuture

    /// - Parameters:
    ///   - connection: the client's.
    ///   - credentials: the login that it needs; `nil` for none.
    init(connection: ClientConnection, credentials: Credentials?) {
        self.connection = connection
        began = connection.loop.now
        started = connection.loop.timeOfDay
        negotiation = SOCKS5Negotiation(credentials: credentials)
    }

    private var loop: ProxyLoop { connection.loop }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        deadline = loop.now + loop.configuration.headTimeout
        loop.watch.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        loop.watch.remove(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        switch phase {
        case .negotiating:
            negotiation.take(bytes)
            proceed()
        // The rest of the burst that held the request: the client's first bytes.
        case .dialing: negotiation.take(bytes)
        case .recording, .closing: break
        }
    }

    func read(context: ChannelHandlerContext) {
        if case .dialing = phase { isReadWithheld = true } else { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(ChannelEvent.inputClosed) = event as? ChannelEvent {
            isInputClosed = true
            if case .negotiating = phase { giveUp(Self.left) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        switch phase {
        case .negotiating where negotiation.hasBegun:
            phase = .closing
            row(nil, request: negotiation.unread).record(Self.left)
        case .dialing(let endpoint, let dial):
            phase = .closing
            dial.giveUp()
            row(endpoint, request: ByteBuffer()).recordClientLeft()
        case .negotiating, .recording, .closing: break
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func look(_ now: NIODeadline) {
        guard now >= deadline else { return }
        switch phase {
        case .negotiating: giveUp(Self.clientFailure(.timeout, "The handshake of SOCKS was not complete in time."))
        // The dial and the hold have deadlines of their own.
        case .dialing, .recording: break
        case .closing: context?.close(promise: nil)
        }
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool {
        switch phase {
        case .dialing: return true
        // The hold of the answer says that it is under way.
        case .recording: return false
        case .negotiating, .closing:
            phase = .closing
            context?.close(promise: nil)
            return false
        }
    }

    func cut() -> Bool {
        guard case .dialing(let endpoint, let dial) = phase else { return false }
        // First, since giving up the dial ends it at once.
        decline(endpoint, ConnectRow.stopped)
        dial.giveUp()
        return true
    }

    // MARK: The handshake

    private func proceed() {
        while case .negotiating = phase {
            switch negotiation.next() {
            case .wait: return
            case .send(let bytes): send(bytes)
            case .connect(let endpoint): dial(endpoint)
            case .refuse(let answer, let cause, let message):
                refuse(nil, request: negotiation.unread, Self.clientFailure(cause, message), answer)
            }
        }
    }

    /// Ends a handshake that makes no progress; one that never began leaves no row.
    private func giveUp(_ failure: ExchangeFailure) {
        guard negotiation.hasBegun else { return close(after: []) }
        refuse(nil, request: negotiation.unread, failure, [])
    }

    private static let left = clientFailure(
        .closed,
        "The client closed the connection during the handshake of SOCKS."
    )

    private static func clientFailure(_ cause: Cause, _ message: String) -> ExchangeFailure {
        ExchangeFailure(side: .client, phase: .request, cause: cause, message: message, retry: true)
    }

    private func dial(_ endpoint: Endpoint) {
        let dial = connection.newDial()
        phase = .dialing(endpoint, dial)
        if connection.mayNeedNoUpstream(endpoint) {
            accept(endpoint, nil)
            return
        }
        let key = UpstreamKey(endpoint: endpoint, serverName: endpoint.host, reach: connection.reach)
        if [key, key.offering(.both)].contains(where: { loop.shared.memory.isKnownGood($0) && loop.pool.isReady($0) }) {
            accept(endpoint, nil)
            return
        }
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        loop.pool.dial(endpoint, for: connection, as: dial).assumeIsolated().whenComplete { result in
            let handler = bound.value
            guard case .dialing = handler.phase, handler.context?.channel.isActive == true else {
                if case .success(let dialed) = result { dialed.channel.close(promise: nil) }
                return
            }
            switch result {
            case .success(let dialed): handler.accept(endpoint, dialed)
            case .failure(let error): handler.decline(endpoint, error)
            }
        }
    }

    private func accept(_ endpoint: Endpoint, _ dialed: DialedUpstream?) {
        guard let context else { return }
        phase = .closing
        let channel = context.channel
        let destination = Destination(endpoint: endpoint, source: .socks)
        let peek = PeekHandler(connection: connection, destination: destination, dialed: dialed)
        do {
            send(SOCKS5Negotiation.reply(.succeeded))
            // The client may have left by now, and a handler that is added to a connection that has ended is not told so.
            guard channel.isActive else {
                dialed?.channel.close(promise: nil)
                return row(endpoint, request: ByteBuffer()).recordClientLeft()
            }
            let early = negotiation.takeRest()
            let operations = channel.pipeline.syncOperations
            try operations.addHandler(peek)
            operations.removeHandler(self, promise: nil)
            peek.takeEarly(early, isAll: isInputClosed)
            channel.read()
        } catch {
            dialed?.channel.close(promise: nil)
            channel.close(promise: nil)
        }
    }

    private func decline(_ endpoint: Endpoint, _ error: any Error) {
        let failure = UpstreamConnector.failure(error, endpoint)
        refuse(endpoint, request: ByteBuffer(), failure, SOCKS5Negotiation.reply(Self.reply(to: failure)))
    }

    /// The reply of RFC 1928 §6 that fits a failure best.
    private static func reply(to failure: ExchangeFailure) -> SOCKS5Negotiation.Reply {
        switch (failure.phase, failure.cause) {
        case (_, .loop), (_, .notAllowed): .notAllowed
        case (_, .refused): .refused
        case (_, .timeout): .expired
        case (.dns, _), (_, .unreachable): .unreachable
        default: .failure
        }
    }

    private func send(_ bytes: [UInt8]) {
        context?.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    private func close(after answer: [UInt8]) {
        phase = .closing
        deadline = loop.now + .seconds(2)
        guard let context else { return }
        if !answer.isEmpty { send(answer) }
        // Output first, so that no reset overtakes the answer.
        let channel = context.channel
        ConnectionEnd.whenWritten(channel) { [self] in
            if isInputClosed { channel.close(promise: nil) } else { channel.close(mode: .output, promise: nil) }
        }
        if isReadWithheld {
            isReadWithheld = false
            context.read()
        }
    }

    /// Records why there will be no connection to the upstream, and answers and closes once the row is committed.
    private func refuse(_ endpoint: Endpoint?, request: ByteBuffer, _ failure: ExchangeFailure, _ answer: [UInt8]) {
        phase = .recording
        row(endpoint, request: request).record(failure) { [self] in close(after: answer) }
    }

    private func row(_ endpoint: Endpoint?, request: ByteBuffer) -> ConnectRow {
        ConnectRow(connection: connection, endpoint: endpoint, request: request, started: started, began: began)
    }
}
