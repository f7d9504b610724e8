import Traffic

/// The features of an upstream connection; connections with the same key are interchangeable.
struct UpstreamKey: Hashable, Sendable {
    /// Which protocols an upstream is offered.
    enum Offer: Hashable, Sendable {
        /// HTTP/1.1 alone.
        case http1
        /// HTTP/2 and HTTP/1.1 by ALPN (RFC 9113 §3.2); without TLS the same as `http1`.
        case both
        /// HTTP/2 without negotiation, as the client speaks it (RFC 9113 §3.3).
        case priorKnowledge
    }

    /// Where the TCP connection goes.
    var endpoint: Endpoint
    /// The name that TLS asks for and verifies; `nil` without TLS.
    var serverName: String?
    /// The protocols that the upstream is offered.
    var offer: Offer
    /// Where its client may go: a connection made for a client of this machine is not for clients of others.
    var reach: UpstreamReach
    /// Another way there; `nil` for the usual one.
    var detour: UpstreamDetour?

    /// The connection that a request of this scheme needs.
    init(endpoint: Endpoint, serverName: String?, offer: Offer = .http1, reach: UpstreamReach) {
        self.endpoint = endpoint
        self.serverName = serverName
        self.offer = offer
        self.reach = reach
    }

    /// The same key with another offer.
    func offering(_ offer: Offer) -> UpstreamKey {
        var key = self
        key.offer = offer
        return key
    }
}
