import Traffic

/// What makes upstream connections interchangeable.
struct UpstreamKey: Hashable, Sendable {
    /// Where the TCP connection goes.
    var endpoint: Endpoint
    /// The name that TLS asks for and verifies; `nil` without TLS.
    var serverName: String?

    /// The connection that a request of this scheme needs.
    init(endpoint: Endpoint, serverName: String?) {
        self.endpoint = endpoint
        self.serverName = serverName
    }
}
