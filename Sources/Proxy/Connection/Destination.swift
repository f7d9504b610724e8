import NIOCore
import Traffic

/// Where a connection goes whose destination is known before its first byte: by a CONNECT, a SOCKS request, the address it came to, or the kernel.
struct Destination {
    /// Who said so.
    enum Source: Equatable {
        /// The client, in a CONNECT.
        case connect
        /// The client, in a SOCKS request.
        case socks
        /// The listener: everything goes to its upstream, by this scheme.
        case reverse(Scheme)
        /// The kernel: the address that the client had connected to.
        case original
        /// Nobody: it ends here, at a listener that answers by itself, and each request says what it is for.
        case own
    }

    /// Where the TCP connection to the upstream goes.
    let endpoint: Endpoint
    let source: Source
    /// The head of the CONNECT; empty when there was none.
    var request = ByteBuffer()

    /// Whether everything is read as HTTP whatever its first bytes are.
    var isAlwaysHTTP: Bool {
        switch source {
        case .reverse, .own: true
        default: false
        }
    }

    /// What upstream connections requests inside need: TLS when the client speaks TLS, or as the reverse upstream says.
    ///
    /// - Parameters:
    ///   - serverName: the name that the client's TLS is for; `nil` when it speaks plain HTTP.
    ///   - offer: the protocols that go with the client's.
    ///   - reach: where the client may go by itself.
    /// - Returns: what makes connections there interchangeable.
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

    /// What requests inside are recorded as going to.
    ///
    /// - Parameters:
    ///   - serverName: the server name of the ClientHello; `nil` when there is none, or no TLS.
    ///   - isSecure: whether the client speaks TLS.
    /// - Returns: where the recorded host comes from.
    func naming(serverName: String?, isSecure: Bool) -> ClientConnection.Naming {
        switch source {
        case .reverse(let scheme):
            return .upstream(
                host: endpoint.port == scheme.defaultPort ? Endpoint.bracketed(endpoint.host) : "\(endpoint)"
            )
        case .connect: return .endpoint
        case .own: return .host
        case .socks, .original:
            guard endpoint.isAddress else { return .endpoint }
            if let serverName { return .name(serverName) }
            return isSecure || source == .socks ? .endpoint : .field
        }
    }

    /// What a tunnel there is recorded as: an address by the name that the client gave in its ClientHello.
    func named(_ serverName: String?) -> Endpoint {
        guard let serverName, source != .connect, endpoint.isAddress else { return endpoint }
        return Endpoint(host: serverName, port: endpoint.port)
    }
}

extension Endpoint {
    /// Whether the host is an IP address.
    var isAddress: Bool { (try? SocketAddress(ipAddress: host, port: port)) != nil }
}
