/// Why an exchange failed or was cancelled: whose side, in which phase, what happened, and whether sending it again is safe.
package struct ExchangeFailure: Error, Hashable, Sendable, Codable {
    /// The party whose doing ended the exchange.
    package enum Side: String, Hashable, Sendable, Codable {
        case client, upstream, proxy
    }

    /// The step the exchange was in when it ended, in the order the steps happen.
    package enum Phase: String, Hashable, Sendable, Codable {
        case request, dns, connect, tls, send, wait, receive, deliver, record
    }

    /// The party whose doing ended the exchange.
    package var side: Side
    /// The step it was in.
    package var phase: Phase
    /// What happened in that step.
    package var cause: Cause
    /// One plain sentence for a person.
    package var message: String
    /// Whether nothing of the request can have had an effect upstream, so that sending it again is safe.
    package var retry: Bool

    package init(side: Side, phase: Phase, cause: Cause, message: String, retry: Bool = false) {
        self.side = side
        self.phase = phase
        self.cause = cause
        self.message = message
        self.retry = retry
    }
}
