import NIOCore
import Traffic

/// The destination of a connection that is known before its first byte: from a CONNECT, a SOCKS request, the listener, or the kernel.
struct Destination {
    /// What named the destination.
    enum Source: Equatable {
        /// The client, in a CONNECT.
        case connect
        /// The client, in a SOCKS request.
        case socks
        /// The listener: everything goes to its one upstream, by this scheme.
        case reverse(Scheme)
        /// The kernel: the address that the client had connected to.
        case original
        /// Nobody: the connection ends here, at a listener that answers by itself, and each request names its own host.
        case own
    }

    /// Where the TCP connection to the upstream goes.
    let endpoint: Endpoint
    let source: Source
    /// The head of the CONNECT; empty when there was none.
    var request = ByteBuffer()

    /// Whether no rule has yet had a say in whether a tunnel is made there: a CONNECT was judged when it came.
    var isUnjudged: Bool { source != .connect }

    /// Whether everything is read as HTTP, whatever the first bytes are.
    var isAlwaysHTTP: Bool {
        switch source {
        case .reverse, .own: true
        default: false
        }
    }

    /// The kind of upstream connection that requests inside need: with TLS where the client speaks TLS, or as the reverse upstream says.
    ///
    /// - Parameters:
    ///   - serverName: the name that the client's TLS is for; `nil` when it speaks plain HTTP.
    ///   - offer: the protocols to offer the upstream.
    ///   - reach: where the client may go.
    /// - Returns: the key; connections with the same key are interchangeable.
    func key(serverName: String?, offer: UpstreamKey.Offer, reach: UpstreamReach) -> UpstreamKey {
        switch source {
        case .reverse(.https):
            UpstreamKey(
                endpoint: endpoint,
                serverName: endpoint.host,
                offer: offer == .priorKnowledge ? .both : offer,
                reach: .anywhere
            )
        case .reverse:
            UpstreamKey(
                endpoint: endpoint,
                serverName: nil,
                offer: offer == .both ? .http1 : offer,
                reach: .anywhere
            )
        default: UpstreamKey(endpoint: endpoint, serverName: serverName, offer: offer, reach: reach)
        }
    }

    /// The scheme of requests inside.
    func scheme(isSecure: Bool) -> Scheme {
        if case .reverse(let scheme) = source { return scheme }
        return isSecure ? .https : .http
    }

    /// The host that requests inside are recorded with.
    ///
    /// - Parameters:
    ///   - serverName: the server name of the ClientHello; `nil` when there is none, or no TLS.
    ///   - isSecure: whether the client speaks TLS.
    /// - Returns: the source of the recorded host.
    func naming(serverName: String?, isSecure: Bool) -> ClientConnection.Naming {
        switch source {
        case .reverse(let scheme):
            return .upstream(host: endpoint.authority(of: scheme))
        case .connect: return .endpoint
        case .own: return .host
        case .socks, .original:
            guard endpoint.isAddress else { return .endpoint }
            if let serverName { return .name(serverName) }
            return isSecure || source == .socks ? .endpoint : .field
        }
    }

    /// The endpoint that a tunnel there is recorded with: an address is replaced by the name in the client's ClientHello.
    func named(_ serverName: String?) -> Endpoint {
        guard let serverName, source != .connect, endpoint.isAddress else { return endpoint }
        return Endpoint(host: serverName, port: endpoint.port)
    }
}

extension Endpoint {
    /// Whether the host is an IP address.
    var isAddress: Bool { (try? SocketAddress(ipAddress: host, port: port)) != nil }
}
