import NIOCore
import Traffic

/// The requests that are answered with pages of our own.
extension ClientConnection {
    /// The answer to a request that was sent to the listener as to a server, for a page that exists; `nil` for any other request.
    ///
    /// Such a request needs no login, since a client that is not set up yet has none. Its Host field must name an address or this machine: so no web
    /// site reaches the pages under a name of its own. Any other request is refused as usual.
    func page(for head: RequestHead) -> (route: RequestRoute, source: LocalAnswers)? {
        guard case .explicit = route, let pages = loop.configuration.localPages,
            head.raw.getInteger(at: head.target.lowerBound, as: UInt8.self) == UInt8(ascii: "/"),
            head.method == "GET" || head.method == "HEAD", head.version != .http2, head.framing == .none,
            (try? RequestRoute.checkHost(head)) != nil, let host = head.fields.first("host"),
            let reached = Endpoint(authority: host, defaultPort: Scheme.http.defaultPort),
            reached.isAddress || pages.names.contains(reached.host),
            let route = try? RequestRoute(hostOf: head, scheme: .http)
        else { return nil }
        let source = LocalAnswers(pages: pages, proxy: reached, isDecrypted: false, isProxied: false)
        return source.page(head.targetText) == nil ? nil : (route, source)
    }

    /// The pages for a request that goes to the reserved name.
    ///
    /// - Parameters:
    ///   - key: where the request goes.
    ///   - local: the address that its client has connected to.
    /// - Returns: the pages, as they are from that address; `nil` for any other name.
    func pages(at key: UpstreamKey, _ local: () -> SocketAddress?) -> LocalAnswers? {
        guard let pages = loop.configuration.localPages, loop.shared.isLocal(key.endpoint) else { return nil }
        let address = local().flatMap(Endpoint.init(plain:))
        return LocalAnswers(
            pages: pages,
            proxy: address ?? key.endpoint,
            isDecrypted: peer.tls != nil,
            isProxied: true
        )
    }
}

extension ProxyShared {
    /// Whether this is the reserved name, at whatever port: the proxy never connects to it.
    func isReserved(_ endpoint: Endpoint) -> Bool {
        guard configuration.localPages != nil else { return false }
        return endpoint.host == LocalPages.host || endpoint.host == LocalPages.host + "."
    }

    /// Whether requests to an endpoint are answered with pages of our own.
    func isLocal(_ endpoint: Endpoint) -> Bool {
        isReserved(endpoint) && [Scheme.http, .https].contains { $0.defaultPort == endpoint.port }
    }

    /// Whether requests to an endpoint need no connection, since the answer is ours.
    func isAnsweredHere(_ endpoint: Endpoint) -> Bool { configuration.answers != nil || isLocal(endpoint) }
}
