import Traffic

/// What makes upstream connections interchangeable.
struct UpstreamKey: Hashable, Sendable {
    /// Which protocols an upstream is offered.
    enum Offer: Hashable, Sendable {
        /// HTTP/1.1 alone.
        case http1
        /// HTTP/2 and HTTP/1.1 by ALPN (RFC 9113 §3.2); without TLS the same as `http1`.
        case both
        /// HTTP/2 without asking: the client knew (RFC 9113 §3.3).
        case priorKnowledge
    }

    /// Where the TCP connection goes.
    var endpoint: Endpoint
    /// The name that TLS asks for and verifies; `nil` without TLS.
    var serverName: String?
    /// What is offered to it.
    var offer: Offer
    /// Where whoever needs it may go: one that was made for a client of this machine is not another's.
    var reach: UpstreamReach

    /// The connection that a request of this scheme needs.
    init(endpoint: Endpoint, serverName: String?, offer: Offer = .http1, reach: UpstreamReach) {
        self.endpoint = endpoint
        self.serverName = serverName
        self.offer = offer
        self.reach = reach
    }

    /// The same with another offer.
    func offering(_ offer: Offer) -> UpstreamKey {
        UpstreamKey(endpoint: endpoint, serverName: serverName, offer: offer, reach: reach)
    }
}
