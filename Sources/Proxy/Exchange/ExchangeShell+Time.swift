import NIOCore
import Traffic

/// What becomes of an exchange as time passes, and when the proxy stops.
extension ExchangeShell {
    /// It has lasted long enough to be shown while it is open.
    func due() {
        guard !machine.isHeld, !machine.isOver else { return }
        tap.exchange.client = client.connection.peer
        tap.open(loop.lane)
    }

    /// Ends what may go on for as long as its ends like, and is not waited for by a proxy that stops: a WebSocket, or an event stream.
    ///
    /// What can only be left is so once nothing comes any more: until then it may be about to end by itself.
    func drain() {
        let (machine, now) = (machine, loop.now)
        guard !machine.isAwaitingResponse, !machine.lacksEnd, !machine.isEarly, !machine.isHeld, !machine.isOver else {
            return
        }
        if let closed = machine.webSocket?.closed {
            if now - closed >= loop.configuration.lastWordTimeout { leave() }
            return
        }
        if isWebSocket {
            tellFrames()
            tell(.stopping(GoingAway(mayFollow: tap.messages.isBetweenFrames), now: now))
            guard self.machine.webSocket?.closed == nil else { return }
        }
        guard isWebSocket || tap.exchange.mediaType == "text/event-stream" else { return }
        // A stream whose client is slow to read does not rest, like a tunnel.
        if now - max(marks.active, marks.paused) >= loop.configuration.drainRestTime { leave() }
    }

    /// Ends an exchange whose response goes on: nobody has broken it, and nothing says that it was whole where the protocol can tell.
    private func leave() {
        isLeft = true
        isUpstreamReusable = false
        resetCode = .cancel
        let what = isWebSocket ? "WebSocket" : "event stream"
        let failure = ExchangeFailure(
            side: .proxy,
            phase: .receive,
            cause: .shutdown,
            message: "The proxy was stopped, and ended the \(what)."
        )
        tell(.upstreamBroken(failure))
    }

    /// Ends it now: the proxy stops, and has waited long enough.
    func cut() {
        guard !machine.isHeld, !machine.isOver else { return }
        let phase: ExchangeFailure.Phase =
            marks.firstByte != nil ? .receive : machine.isRequestEnded ? .wait : .request
        let failure = ExchangeFailure(
            side: .proxy,
            phase: phase,
            cause: .shutdown,
            message: "The proxy was stopped, and this had not ended when it had waited long enough."
        )
        persists = false
        giveUp(failure)
    }

    /// Ends it in the midst: with an answer of our own, or so that the client sees that its response is not whole.
    private func giveUp(_ failure: ExchangeFailure) {
        tell(machine.isAwaitingResponse ? .upstreamUnavailable(failure) : .upstreamBroken(failure))
    }

    private static let forbidden = UpstreamConnector.notAllowed(
        "The exchange was ended, since its client may not be connected to the proxy's machine any more"
    )

    /// Whether its client might go everywhere until now and may not go to this machine any more, where its upstream is.
    private func isForbidden() -> Bool {
        guard client.connection.reach == .beyondThisMachine, let upstream, let key = subject.errand?.key else {
            return false
        }
        let allowed = client.connection.allowed(key)
        guard allowed != key else { return false }
        subject.errand?.key = allowed
        return upstream.isNear(loop.shared.listeners)
    }

    // MARK: Deadlines

    /// Looks whether a deadline is over.
    func look(_ now: NIODeadline) {
        let configuration = loop.configuration
        if let held = marks.held {
            guard now - held >= configuration.holdTimeout else { return }
            if machine.keepsWaiting { loop.shared.late.add(now, limit: configuration.holdTimeout) }
            return tell(.recorded)
        }
        if let answering = marks.answering, now - answering >= configuration.holdTimeout {
            marks.answering = nil
            loop.shared.late.add(now, limit: configuration.holdTimeout)
            tell(.responseRecorded)
        }
        if isForbidden() { return giveUp(Self.forbidden) }
        // What we do not read is nobody's silence.
        if awaitsClientsLastWord ? loop.lane.isCongested : !takesResponse { marks.paused = now }
        if awaitsLastWord, now - max(marks.active, marks.paused) >= configuration.lastWordTimeout {
            tellFrames()
            return tell(.lastWordOverdue)
        }
        tap.refresh(loop.lane)
        if !lookUnread(now) { lookSilent(now) }
    }

    /// Whether only a last word is missing that changes nothing: the end of a stream whose content is whole, or a WebSocket client's close frame.
    private var awaitsLastWord: Bool {
        (machine.lacksEnd && upstream?.mayLeaveEndUnsaid != false) || awaitsClientsLastWord
    }

    /// Whether that is the client's close frame.
    private var awaitsClientsLastWord: Bool { isWebSocket && machine.isEarly }

    /// Gives up a client that takes nothing of what is written to it: it would hold that, and its upstream, for as long as it likes.
    private func lookUnread(_ now: NIODeadline) -> Bool {
        guard client.channel?.isWritable == false else { return false }
        // A stream that is silent by itself may find the connection full of another's bytes for a moment.
        let since = max(client.unreadSince(now), marks.active)
        let timeout = loop.configuration.idleTimeout
        guard now - since >= timeout else { return false }
        let message = "The client took nothing more of the response for \(timeout.text)."
        tell(.clientGone(clientFailure(.deliver, .timeout, message)))
        client.cutOff()
        return true
    }

    /// Gives up an exchange of which nothing comes.
    private func lookSilent(_ now: NIODeadline) {
        let configuration = loop.configuration
        // A stream of messages may be silent for as long as its ends like; they have timeouts of their own.
        let (isRequestEnded, isAnswered) = (machine.isRequestEnded, machine.isAnswered)
        let isOpenStream =
            isWebSocket
            ? !isRequestEnded : tap.messages.isStream(marks.firstByte == nil ? .request : .response) && !isAnswered
        let isAwaiting = isRequestEnded && marks.firstByte == nil
        let timeout =
            isOpenStream
            ? configuration.tunnelIdleTimeout : isAwaiting ? configuration.firstByteTimeout : configuration.idleTimeout
        // Of a request with content the last bytes may be on their way for long.
        if machine.mayBeSending, !isWebSocket { upstream?.look(&marks.sending, now) }
        let active = max(marks.active, marks.paused, marks.sending.since)
        guard let upstream, now - active >= timeout else { return }
        if isRequestEnded || (marks.firstByte != nil && !isAnswered) {
            // No other exchange is to wait there as long.
            upstream.wasSilent(since: active)
            upstreamBroke(cause: .timeout, message: "sent nothing for \(timeout.text)")
        } else if !upstream.isWritable {
            // The stream's window may be shut, which says nothing of the connection.
            upstreamBroke(cause: .timeout, message: "took nothing more of the request for \(timeout.text)")
        } else {
            tell(.clientGone(clientFailure(.request, .timeout, "The client stopped sending its request.")))
        }
    }
}
