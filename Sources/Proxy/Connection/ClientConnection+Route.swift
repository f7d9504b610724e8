import Traffic

extension ClientConnection {
    /// The host that is recorded for requests that name no authority of their own.
    enum Naming: Equatable {
        /// The host that is connected to.
        case endpoint
        /// This host, which the client named in its ClientHello, at the port that is connected to; the client connected to an address.
        case name(String)
        /// The Host field's host, at the port that is connected to; the client connected to an address and spoke plain HTTP.
        case field
        /// The host and port of the Host field, or of a target in absolute-form; the connection ends here.
        case host
        /// The host that is connected to, which also replaces the client's Host field, as in any reverse proxy.
        case upstream(host: String)
    }

    /// Why a request may not pass: an explicit listener asks for a login that it lacks; `nil` where it may.
    func credentialProblem(_ fields: HeaderList) -> ExchangeFailure? {
        guard case .explicit = route, let credentials = loop.configuration.credentials else { return nil }
        let given = fields.values("proxy-authorization")
        if given.count == 1, given.allSatisfy(credentials.match(authorization:)) { return nil }
        return ExchangeFailure(
            side: .client,
            phase: .request,
            cause: .proxyAuthentication,
            message: given.isEmpty
                ? "This proxy asks for a user and a password." : "The user or the password for this proxy is wrong.",
            retry: true
        )
    }

    /// The connection's requests once it is known where they go.
    func inside(_ scheme: Scheme, _ key: UpstreamKey, peer: Peer, naming: Naming, refusal: UpstreamRefusal? = nil)
        -> ClientConnection
    {
        ClientConnection(
            loop: loop,
            peer: peer,
            origin: origin,
            isFromThisMachine: isFromThisMachine,
            route: .inside(scheme, key),
            naming: naming,
            refusal: refusal
        )
    }

    /// The kind of upstream connection that a request needs, by where its client may go now, which may have changed since the tunnel was opened.
    func allowed(_ key: UpstreamKey) -> UpstreamKey {
        // The user has named this upstream.
        if case .upstream = naming { return key }
        var key = key
        key.reach = reach
        return key
    }

    /// The route of a request on a connection that leads to one upstream.
    func route(_ head: RequestHead, _ scheme: Scheme, _ key: UpstreamKey) throws(MessageProblem) -> RequestRoute {
        switch naming {
        case .endpoint: return try RequestRoute(origin: head, scheme: scheme, endpoint: key.endpoint)
        case .name(let name):
            let named = Endpoint(host: name, port: key.endpoint.port)
            return try RequestRoute(origin: head, scheme: scheme, endpoint: named)
        case .field:
            let field = head.fields.first("host").flatMap { Endpoint(authority: $0, defaultPort: key.endpoint.port) }
            let named = Endpoint(host: field?.host ?? key.endpoint.host, port: key.endpoint.port)
            return try RequestRoute(origin: head, scheme: scheme, endpoint: named)
        case .host:
            guard head.isForOrigin else { return try RequestRoute(absolute: head) }
            return try ownRoute(head, scheme)
        case .upstream(let host): return try reverseRoute(head, scheme, key, host: host)
        }
    }

    /// The route of a request to a listener that answers it itself, as its server.
    func ownRoute(_ head: RequestHead, _ scheme: Scheme) throws(MessageProblem) -> RequestRoute {
        let route = try RequestRoute(hostOf: head, scheme: scheme)
        try checkOwnName(route.endpoint.host)
        return route
    }

    /// A reverse address is an origin server to its clients: no tunnels, and a target in absolute-form is taken too (RFC 9112 §3.2.2).
    private func reverseRoute(
        _ head: RequestHead,
        _ scheme: Scheme,
        _ key: UpstreamKey,
        host: String
    ) throws(MessageProblem) -> RequestRoute {
        guard head.method != "CONNECT" || head.extendedProtocol != nil else {
            throw MessageProblem("This is a reverse address, which makes no tunnels.", code: 405, cause: .method)
        }
        var route: RequestRoute
        if head.isForOrigin {
            route = try RequestRoute(origin: head, scheme: scheme, endpoint: key.endpoint)
            let named = head.fields.first("host").flatMap { Endpoint(authority: $0, defaultPort: scheme.defaultPort) }
            try checkOwnName(named?.host, upstream: key.endpoint.host)
        } else {
            route = try RequestRoute(absolute: head)
            try checkOwnName(route.endpoint.host, upstream: key.endpoint.host)
            route.scheme = scheme
            route.endpoint = key.endpoint
        }
        route.host = head.fields.first("host") == host ? nil : host
        return route
    }
}
