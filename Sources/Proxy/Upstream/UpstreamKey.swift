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

    /// The connection that a request of this scheme needs.
    init(endpoint: Endpoint, serverName: String?, offer: Offer = .http1) {
        self.endpoint = endpoint
        self.serverName = serverName
        self.offer = offer
    }

    /// The same with another offer.
    func offering(_ offer: Offer) -> UpstreamKey {
        UpstreamKey(endpoint: endpoint, serverName: serverName, offer: offer)
    }
}
