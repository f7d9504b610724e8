import NIOCore
import Traffic

/// What becomes of a client's connection and its exchange as time passes.
extension ExchangeHandler {
    func due(_ exchange: UInt64) {
        guard live?.token == exchange, live?.machine.isHeld == false, live?.machine.isOver == false else { return }
        live?.tap.exchange.client = connection.peer
        live?.tap.open(loop.lane)
    }

    func drain() -> Bool {
        if let live { endStream(live) }
        guard live == nil, !isConnecting else { return true }
        guard codec.stream == nil else { return false }
        end()
        if case .writing = closing { return true }
        if let channel = context?.channel { ConnectionEnd.leave(channel) }
        return false
    }

    /// Ends what may go on for as long as its ends like, and is not waited for by a proxy that stops: a WebSocket, or an event stream.
    ///
    /// What can only be left is so once nothing comes any more: until then it may be about to end by itself.
    private func endStream(_ live: LiveExchange) {
        let (machine, now) = (live.machine, loop.now)
        guard !machine.isAwaitingResponse, !machine.lacksEnd, !machine.isEarly, !machine.isHeld, !machine.isOver else {
            return
        }
        if let closed = live.closed {
            if now - closed >= loop.configuration.lastWordTimeout { leave(live) }
            return
        }
        if live.isSwitched, closeWebSocket() { return }
        guard live.isSwitched || live.tap.exchange.mediaType == "text/event-stream" else { return }
        // A stream whose client is slow to read does not rest, like a tunnel.
        if now - max(live.active, live.paused) >= loop.configuration.drainRestTime { leave(live) }
    }

    /// Ends an exchange whose response goes on: nobody has broken it, and nothing says that it was whole where the protocol can tell.
    private func leave(_ live: LiveExchange) {
        live.isLeft = true
        live.isUpstreamReusable = false
        live.resetCode = .cancel
        let what = live.isSwitched ? "WebSocket" : "event stream"
        let failure = ExchangeFailure(
            side: .proxy,
            phase: .receive,
            cause: .shutdown,
            message: "The proxy was stopped, and ended the \(what)."
        )
        tell(.upstreamBroken(failure))
    }

    func cut() {
        if case .writing = closing, let channel = context?.channel { return ConnectionEnd.reset(channel) }
        cutDial()
        if live == nil { codec.stream?.reset(.cancel) }
        guard let live, !live.machine.isHeld, !live.machine.isOver else { return }
        let phase: ExchangeFailure.Phase =
            live.firstByte != nil ? .receive : live.machine.isRequestEnded ? .wait : .request
        let failure = ExchangeFailure(
            side: .proxy,
            phase: phase,
            cause: .shutdown,
            message: "The proxy was stopped, and this had not ended when it had waited long enough."
        )
        giveUp(live, failure)
    }

    /// Ends an exchange in the midst of it: with an answer of our own, or so that the client sees that its response is not whole.
    private func giveUp(_ live: LiveExchange, _ failure: ExchangeFailure) {
        tell(live.machine.isAwaitingResponse ? .upstreamUnavailable(failure) : .upstreamBroken(failure))
    }

    private static let forbidden = UpstreamConnector.notAllowed(
        "The exchange was ended, since its client may not be connected to the proxy's machine any more"
    )

    /// Whether its client might go everywhere until now and may not go to this machine any more, where its upstream is.
    private func isForbidden(_ live: LiveExchange) -> Bool {
        guard connection.reach == .beyondThisMachine, let upstream = live.upstream, let key = live.key else {
            return false
        }
        let allowed = connection.allowed(key)
        guard allowed != key else { return false }
        live.key = allowed
        return upstream.place.isNear(loop.shared.listeners)
    }

    func look(_ now: NIODeadline) {
        switch closing {
        case .no: break
        case .writing:
            guard let channel = context?.channel else { return }
            if now - unreadSince(channel, now) >= loop.configuration.idleTimeout { ConnectionEnd.reset(channel) }
            return
        case .lingering(let until, _):
            if now >= until { context?.close(promise: nil) }
            return
        }
        guard let live else { return lookIdle(now) }
        let configuration = loop.configuration
        if let held = live.held {
            guard now - held >= configuration.holdTimeout else { return }
            if live.machine.keepsWaiting { loop.shared.late.add(now, limit: configuration.holdTimeout) }
            return tell(.recorded)
        }
        if let answering = live.answering, now - answering >= configuration.holdTimeout {
            live.answering = nil
            loop.shared.late.add(now, limit: configuration.holdTimeout)
            tell(.responseRecorded)
        }
        if isForbidden(live) { return giveUp(live, Self.forbidden) }
        // What we do not read is nobody's silence.
        if live.awaitsClientsLastWord ? loop.lane.isCongested : !takesResponse { live.paused = now }
        if live.awaitsLastWord, now - max(live.active, live.paused) >= configuration.lastWordTimeout {
            return live.isSwitched ? tell(.lastWordOverdue) : endUnsaid()
        }
        live.tap.refresh(loop.lane)
        if !lookUnread(live, now) { lookSilent(live, now) }
    }

    /// Looks at a connection without an exchange.
    private func lookIdle(_ now: NIODeadline) {
        let configuration = loop.configuration
        if isReadWithheld || isNextDue, loop.lane.isCongested {
            // What we do not read is not the client's silence.
            idleSince = now
            if headSince != nil { headSince = now }
            return
        }
        if let stream = codec.stream {
            // The end of an answer that its client does not read.
            guard let channel = context?.channel,
                now - max(idleSince, unreadSince(channel, now)) >= configuration.idleTimeout
            else { return }
            // The client reads nothing of the whole connection: not even a reset has left.
            if stream.isReset, let whole = channel.parent { return ConnectionEnd.reset(whole) }
            idleSince = now
            return stream.reset(.cancel)
        }
        guard !isConnecting else { return }
        if let headSince {
            if now - headSince >= configuration.headTimeout { refuseSlowHead() }
        } else if now - idleSince >= configuration.keepAliveTimeout {
            end()
        }
    }

    /// Gives up a client that takes nothing of what is written to it: it would hold that, and its upstream, for as long as it likes.
    private func lookUnread(_ live: LiveExchange, _ now: NIODeadline) -> Bool {
        guard let channel = context?.channel, !channel.isWritable else { return false }
        // A stream that is silent by itself may find the connection full of another's bytes for a moment.
        let since = max(unreadSince(channel, now), live.active)
        let timeout = loop.configuration.idleTimeout
        guard now - since >= timeout else { return false }
        let message = "The client took nothing more of the response for \(timeout.text)."
        tell(.clientGone(clientFailure(.deliver, .timeout, message)))
        if let stream = codec.stream { stream.reset(.cancel) } else { ConnectionEnd.reset(channel) }
        return true
    }

    /// Since when the client takes nothing of what is written, as far as looks have shown; the first of them takes note of it.
    private func unreadSince(_ channel: any Channel, _ now: NIODeadline) -> NIODeadline {
        var progress = unread ?? SocketProgress(since: now)
        progress.look(channel, stream: codec.stream, now)
        unread = progress
        return progress.since
    }

    /// Gives up an exchange of which nothing comes.
    private func lookSilent(_ live: LiveExchange, _ now: NIODeadline) {
        let configuration = loop.configuration
        // A stream of messages may be silent for as long as its ends like; they have timeouts of their own.
        let (isRequestEnded, isAnswered) = (live.machine.isRequestEnded, live.machine.isAnswered)
        let isOpenStream =
            live.isSwitched
            ? !isRequestEnded : live.tap.messages.isStream(live.firstByte == nil ? .request : .response) && !isAnswered
        let isAwaiting = isRequestEnded && live.firstByte == nil
        let timeout =
            isOpenStream
            ? configuration.tunnelIdleTimeout : isAwaiting ? configuration.firstByteTimeout : configuration.idleTimeout
        // Of a request with content the last bytes may be on their way for long.
        if let upstream = live.upstream, live.machine.mayBeSending, !live.isSwitched {
            live.sending.look(upstream.channel, stream: upstream.stream, now)
        }
        let active = max(live.active, live.paused, live.sending.since)
        guard live.upstream != nil || live.supplied != nil, now - active >= timeout else { return }
        if isRequestEnded || (live.firstByte != nil && !isAnswered) {
            // No other exchange is to wait there as long.
            live.upstream?.connection?.wasSilent(since: active)
            upstreamBroke(cause: .timeout, message: "sent nothing for \(timeout.text)")
        } else if live.upstream?.isWritable == false {
            // The stream's window may be shut, which says nothing of the connection.
            upstreamBroke(cause: .timeout, message: "took nothing more of the request for \(timeout.text)")
        } else {
            tell(.clientGone(clientFailure(.request, .timeout, "The client stopped sending its request.")))
        }
    }
}
