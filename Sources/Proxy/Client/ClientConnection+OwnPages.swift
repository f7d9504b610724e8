import NIOCore
import Traffic

/// Which requests are answered with pages of our own.
extension ClientConnection {
    /// A request that was sent to the listener as to a server, for a page that there is.
    ///
    /// It needs no login: a client that has yet to be set up cannot be asked for one. Its Host field names an address or this machine, so
    /// that no web site reaches the pages under a name of its own; everything else goes the way of any request, to its refusal.
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

    /// What answers requests that go to the reserved name; `nil` for any other.
    ///
    /// - Parameters:
    ///   - key: where a request goes.
    ///   - local: the address that its client has connected to.
    /// - Returns: what answers them, as from there.
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
    /// Whether this is the reserved name, at whatever port: nothing is ever connected to there.
    func isReserved(_ endpoint: Endpoint) -> Bool {
        guard configuration.localPages != nil else { return false }
        return endpoint.host == LocalPages.host || endpoint.host == LocalPages.host + "."
    }

    /// Whether requests there are answered with pages of our own.
    func isLocal(_ endpoint: Endpoint) -> Bool {
        isReserved(endpoint) && [Scheme.http, .https].contains { $0.defaultPort == endpoint.port }
    }

    /// Whether nobody is connected to for requests there, since the answer is ours.
    func isAnsweredHere(_ endpoint: Endpoint) -> Bool { configuration.answers != nil || isLocal(endpoint) }
}
