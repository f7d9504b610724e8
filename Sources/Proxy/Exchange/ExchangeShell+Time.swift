import NIOCore
import Traffic

/// What an exchange measures as time passes, and what it does when the proxy stops.
extension ExchangeShell {
    /// The exchange has lasted long enough to be shown while it is open.
    func due() {
        guard !machine.isHeld, !machine.isOver else { return }
        tap.exchange.client = client.connection.peer
        tap.open(loop.lane)
    }

    /// Measures, and tells the machine which deadline is over, if any; called about every 100 ms.
    func look(_ now: NIODeadline) {
        let deadlines = loop.configuration.exchangeDeadlines
        if let deadline = deadlines.ofRecord(machine, marks, at: now) { tell(.deadline(deadline)) }
        guard !isDeaf else { return }
        // What waits because of rules is nobody's silence.
        if rules?.timing.isHolding == true { (marks.active, marks.paused) = (now, now) }
        releaseOverdue(now)
        // A fault of a rule may have ended it.
        guard !isDeaf else { return }
        if isForbidden() { return tell(.givenUp(Self.forbidden)) }
        let look = measured(now)
        let deadline = deadlines.ofPeers(machine, &marks, look)
        // The record of an exchange that lacked a last word is handed over at once.
        if deadline != .lastWord { tap.refresh(loop.lane) }
        tellFrames()
        if let deadline { tell(.deadline(deadline)) }
    }

    /// Measures what deadlines depend on.
    private func measured(_ now: NIODeadline) -> ExchangeLook {
        // The last bytes of a request's content may be on their way for long.
        if machine.mayBeSending { upstream?.look(&marks.sending, now) }
        return ExchangeLook(
            now: now,
            isRecordFull: loop.lane.isCongested,
            takesResponse: takesResponse,
            unreadSince: client.channel?.isWritable == false ? client.unreadSince(now) : nil,
            // Whom a rule leaves without an answer decides how long to wait for one.
            upstream: isLeftWaiting
                ? nil : upstream.map { .init(mayLeaveEndUnsaid: $0.mayLeaveEndUnsaid, isWritable: $0.isWritable) },
            isRequestStream: tap.messages.isStream(.request),
            isResponseStream: tap.messages.isStream(.response)
        )
    }

    // MARK: The proxy stops

    /// Ends a WebSocket or an event stream, which may go on for as long as its ends like: a proxy that stops does not wait for it.
    func drain() {
        if isLeftWaiting, !isDeaf { return endWithoutAnswer() }
        rules?.timing.lift()
        if rules != nil { passOn() }
        let now = loop.now
        tellFrames()
        if let webSocket = machine.webSocket, webSocket.closed == nil, !isDeaf {
            tell(.stopping(GoingAway(mayFollow: tap.messages.isBetweenFrames), now: now))
        }
        let isEventStream = tap.exchange.mediaType == "text/event-stream"
        let deadlines = loop.configuration.exchangeDeadlines
        if let deadline = deadlines.ofRest(machine, marks, isEventStream: isEventStream, at: now) {
            tell(.deadline(deadline))
        }
    }

    /// Ends an exchange to which a rule gives no answer: nothing could be waited for.
    private func endWithoutAnswer() {
        persists = false
        let message = "The proxy was stopped while a rule left the request without an answer."
        tell(
            .clientGone(
                ExchangeFailure(side: .proxy, phase: .wait, cause: .shutdown, message: message, retry: true)
            )
        )
    }

    /// Ends the exchange now: the proxy stops, and has waited long enough.
    ///
    /// - Returns: whether it went on until then.
    func cut() -> Bool {
        guard !isDeaf else { return false }
        persists = false
        // A response that rules hold gets an answer in its place, as a request does.
        rules?.skipWaiting("the proxy was stopped")
        tell(.deadline(.cut))
        return true
    }

    // MARK: Where its client may go

    private static let forbidden = UpstreamConnector.notAllowed(
        "The exchange was ended, since its client may not be connected to the proxy's machine any more"
    )

    /// Whether the upstream is on this machine, where the client may not go any more.
    private func isForbidden() -> Bool {
        guard client.connection.reach == .beyondThisMachine, let upstream, let key = subject.errand?.key else {
            return false
        }
        let allowed = client.connection.allowed(key)
        guard allowed != key else { return false }
        subject.errand?.key = allowed
        return upstream.isNear(loop.shared.listeners)
    }
}
