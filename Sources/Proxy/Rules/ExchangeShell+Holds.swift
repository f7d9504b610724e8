import NIOCore
import Traffic

/// For how long messages are held whose bodies rules wait for, and where that is not done at all.
extension ExchangeShell {
    /// Why a body of messages is not waited for.
    static let endless = RuleGap.endless
    /// Why no more of a response is waited for that has ended too early.
    static let brokenOff = RuleGap.brokenOff

    /// Whether a response is to be used as it comes: nobody knows when it ends, if ever.
    func isEndless(_ head: ResponseHead) -> Bool {
        if tap.messages.isStream(.response) || machine.opensWebSocket(head) { return true }
        if case .length = head.framing { return false }
        return MediaType(head.fields.first("content-type"))?.isOpenEnded == true
    }

    /// Lets messages go on whose bodies do not come in time.
    func releaseOverdue(_ now: NIODeadline) {
        guard let rules, rules.isRequestHeld || rules.heldResponse != nil else { return }
        // What we do not read is nobody's silence.
        if !takesResponse { marks.paused = now }
        let limits = loop.configuration
        // A client that sends no more of a body which rules wait for is not waited for longer than an upstream would wait.
        let isEdited = rules.works[.request] != nil
        if rules.isRequestHeld, !isEdited, now - max(marks.active, marks.paused) >= limits.idleTimeout {
            judgeRequest(at: .requestBody, gap: "the rest of the body did not come")
        }
        guard rules.heldResponse != nil else { return }
        // What we have wait ourselves is not waited for in vain.
        let began = rules.timing.isHolding ? now : rules.heldSince ?? now
        rules.heldSince = began
        // What the client sends meanwhile is nothing of the response.
        let silence = now - max(marks.responded, marks.paused)
        let isSilent = silence >= min(limits.ruleSilenceTimeout, limits.firstByteTimeout, limits.idleTimeout)
        // A client of HTTP/1 that has closed looks like one that waits for its answer: the bytes that are sent then show which it is.
        guard isSilent || now - began >= limits.ruleHoldTimeout else { return }
        releaseResponse(gap: "the rest of the body did not come in time")
        flushHeld()
    }

    /// Reads on behind a request that gets no answer, and throws that away, since the client's end stands behind it.
    func readOutUnanswered() {
        loop.loop.assumeIsolated().execute { [self] in
            if !isDeaf, machine.isRequestEnded { client.goOnRaw() }
        }
    }
}
