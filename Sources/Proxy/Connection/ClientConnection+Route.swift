import Traffic

extension ClientConnection {
    /// What requests that name no authority of their own are recorded as going to.
    enum Naming: Equatable {
        /// The host that is connected to.
        case endpoint
        /// This host, at the port that is connected to: the client connected to an address and named it in its ClientHello.
        case name(String)
        /// The Host field's, at the port that is connected to: the client connected to an address and spoke plain HTTP.
        case field
        /// The Host field's, port and all, or that of a target in absolute-form: the connection ends here.
        case host
        /// The host that is connected to; and the Host field says so too, whatever the client had sent, as reverse proxies do.
        case upstream(host: String)
    }

    /// Why a request may not pass: it goes to an explicit listener without the credentials that are asked for; `nil` when it may.
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

    /// What upstream connections a request needs, by where its client may go now: that may be another place than when the tunnel was opened.
    func allowed(_ key: UpstreamKey) -> UpstreamKey {
        // The user has named this one.
        if case .upstream = naming { return key }
        var key = key
        key.reach = reach
        return key
    }

    /// The route of a request on a connection that goes to one upstream.
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

    /// The route of a request to a listener that answers by itself, as its server.
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
