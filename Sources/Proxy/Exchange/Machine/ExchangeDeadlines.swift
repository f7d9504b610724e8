import NIOCore

/// The limits of an exchange's waits, which find the wait that has lasted too long.
///
/// They know no clock: the time comes in with what was measured. `ExchangeStateMachine` says what a `Deadline` leads to.
struct ExchangeDeadlines {
    /// For how long the end of a response waits for the record's commit.
    var hold: TimeAmount
    /// For how long an exchange waits for a last word that changes nothing.
    var lastWord: TimeAmount
    /// For how long a complete request waits for the first byte of its response.
    var firstByte: TimeAmount
    /// For how long nothing may pass.
    var idle: TimeAmount
    /// For how long nothing may pass of a stream of messages.
    var openStream: TimeAmount
    /// For how long nothing may pass of a stream while the proxy stops.
    var rest: TimeAmount

    /// The wait for the record that is over; `nil` where none is.
    func ofRecord(_ exchange: ExchangeStateMachine, _ marks: ExchangeMarks, at now: NIODeadline) -> Deadline? {
        if exchange.isHeld {
            guard let held = marks.held, now - held >= hold else { return nil }
            return .hold
        }
        guard exchange.isEarly, !exchange.isAnswered, let answering = marks.answering, now - answering >= hold else {
            return nil
        }
        return .responseHold
    }

    /// Whether we do not read what is awaited: a silence of ours is nobody else's.
    private func isPaused(_ exchange: ExchangeStateMachine, _ look: ExchangeLook) -> Bool {
        exchange.awaitsClientsLastWord ? look.isRecordFull : !look.takesResponse
    }

    /// The wait for the client or the upstream that is over, with what the look found noted in the marks; `nil` where none is.
    func ofPeers(_ exchange: ExchangeStateMachine, _ marks: inout ExchangeMarks, _ look: ExchangeLook) -> Deadline? {
        if isPaused(exchange, look) { marks.paused = look.now }
        guard !exchange.isHeld, !exchange.isOver else { return nil }
        let mayLackEnd = exchange.lacksEnd && look.upstream?.mayLeaveEndUnsaid != false
        if mayLackEnd || exchange.awaitsClientsLastWord, look.now - max(marks.active, marks.paused) >= lastWord {
            return .lastWord
        }
        // A stream that is silent by itself may find its connection full of other streams' bytes for a moment.
        if let unread = look.unreadSince, look.now - max(unread, marks.active) >= idle { return .unread(idle) }
        return ofSilence(exchange, marks, look)
    }

    /// The wait for the next byte that is over; `nil` where none is.
    private func ofSilence(_ exchange: ExchangeStateMachine, _ marks: ExchangeMarks, _ look: ExchangeLook) -> Deadline?
    {
        let active = max(marks.active, marks.paused, marks.sending.since)
        let limit =
            isOpenStream(exchange, look)
            ? openStream : exchange.isRequestEnded && exchange.isAwaitingResponse ? firstByte : idle
        guard let upstream = look.upstream, look.now - active >= limit else { return nil }
        // A client that asks first has nothing to send before an answer.
        let isUpstreamsTurn = exchange.isAwaitingResponse ? exchange.refusesBody : !exchange.isAnswered
        if exchange.isRequestEnded || isUpstreamsTurn { return .silence(limit, since: active) }
        return upstream.isWritable ? .stalled : .untaken(limit)
    }

    /// Whether the exchange is an open stream of messages: it may be silent for long, since its ends have timeouts of their own.
    private func isOpenStream(_ exchange: ExchangeStateMachine, _ look: ExchangeLook) -> Bool {
        if exchange.webSocket != nil { return !exchange.isRequestEnded }
        return (exchange.isAwaitingResponse ? look.isRequestStream : look.isResponseStream) && !exchange.isAnswered
    }

    /// Whether a proxy that stops leaves an exchange: a WebSocket whose ends did not answer its close frames, or a stream that has come to rest.
    ///
    /// A stream is left once nothing comes any more: until then it may be about to end by itself.
    ///
    /// - Parameters:
    ///   - exchange: its machine.
    ///   - marks: when things happened to it.
    ///   - isEventStream: whether its response is an event stream.
    ///   - now: the time.
    /// - Returns: `rest`, or `nil` where the proxy waits on.
    func ofRest(
        _ exchange: ExchangeStateMachine,
        _ marks: ExchangeMarks,
        isEventStream: Bool,
        at now: NIODeadline
    ) -> Deadline? {
        // However short that is, the call that closes it does not end it too.
        if let closed = exchange.webSocket?.closed { return now > closed && now - closed >= lastWord ? .rest : nil }
        guard exchange.webSocket != nil || isEventStream else { return nil }
        // A stream whose client is slow to read does not rest, like a tunnel.
        return now - max(marks.active, marks.paused) >= (exchange.lacksUpstreamsEnd ? lastWord : rest) ? .rest : nil
    }
}
