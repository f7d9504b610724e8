import NIOCore
import Traffic

/// What is measured of an exchange as time passes, and what it is told when the proxy stops.
extension ExchangeShell {
    /// It has lasted long enough to be shown while it is open.
    func due() {
        guard !machine.isHeld, !machine.isOver else { return }
        tap.exchange.client = client.connection.peer
        tap.open(loop.lane)
    }

    /// Looks whether a deadline is over.
    func look(_ now: NIODeadline) {
        let deadlines = loop.configuration.exchangeDeadlines
        if let deadline = deadlines.ofRecord(machine, marks, at: now) { tell(.deadline(deadline)) }
        guard !isDeaf else { return }
        if isForbidden() { return tell(.givenUp(Self.forbidden)) }
        let look = measured(now)
        if deadlines.isPaused(machine, look) { marks.paused = now }
        let deadline = deadlines.ofPeers(machine, marks, look)
        // What ends by a last word has its record at once.
        if deadline != .lastWord { tap.refresh(loop.lane) }
        tellFrames()
        if let deadline { tell(.deadline(deadline)) }
    }

    /// Measures what deadlines depend on.
    private func measured(_ now: NIODeadline) -> ExchangeLook {
        // Of a request with content the last bytes may be on their way for long.
        if machine.mayBeSending { upstream?.look(&marks.sending, now) }
        return ExchangeLook(
            now: now,
            isRecordFull: loop.lane.isCongested,
            takesResponse: takesResponse,
            unreadSince: client.channel?.isWritable == false ? client.unreadSince(now) : nil,
            upstream: upstream.map { .init(mayLeaveEndUnsaid: $0.mayLeaveEndUnsaid, isWritable: $0.isWritable) },
            isRequestStream: tap.messages.isStream(.request),
            isResponseStream: tap.messages.isStream(.response)
        )
    }

    // MARK: The proxy stops

    /// Ends what may go on for as long as its ends like, and is not waited for by a proxy that stops: a WebSocket, or an event stream.
    func drain() {
        let now = loop.now
        tellFrames()
        if isWebSocket { tell(.stopping(GoingAway(mayFollow: tap.messages.isBetweenFrames), now: now)) }
        let isEventStream = tap.exchange.mediaType == "text/event-stream"
        let deadlines = loop.configuration.exchangeDeadlines
        if let deadline = deadlines.ofRest(machine, marks, isEventStream: isEventStream, at: now) {
            tell(.deadline(deadline))
        }
    }

    /// Ends it now: the proxy stops, and has waited long enough.
    func cut() {
        guard !isDeaf else { return }
        persists = false
        tell(.deadline(.cut))
    }

    // MARK: Where its client may go

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
}
