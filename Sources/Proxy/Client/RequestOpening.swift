import NIOCore
import Traffic

/// What a request begins: an exchange, a tunnel, or a refusal.
enum RequestOpening {
    /// The request goes to an upstream, or to what answers in its place.
    case exchange(ExchangeSubject)
    /// The request is refused, and the connection ends behind the answer; the status code is `nil` where the failure settles it.
    case refusal(ExchangeSubject, ExchangeFailure, code: Int?)
    /// The request is refused, and its client may ask again on the same connection.
    case lateRefusal(ExchangeSubject, ExchangeFailure)
    /// The request is a CONNECT to an endpoint, and takes the connection over.
    case tunnel(Endpoint)

    /// Decides what a request begins.
    ///
    /// - Parameters:
    ///   - head: the request.
    ///   - connection: the connection that it came on.
    ///   - isStream: whether it came on a stream, which no tunnel can take over.
    ///   - local: the address that the client has connected to; `nil` where that is not known.
    init(of head: RequestHead, on connection: ClientConnection, isStream: Bool, local: () -> SocketAddress?) {
        if let (route, source) = connection.page(for: head) {
            let key = UpstreamKey(endpoint: route.endpoint, serverName: nil, reach: connection.reach)
            self = .exchange(ExchangeSubject(head, route, key, source))
            return
        }
        if let failure = connection.credentialProblem(head.fields) {
            self = .lateRefusal(ExchangeSubject(refused: head, endpoint: Self.named(head)), failure)
            return
        }
        do throws(MessageProblem) {
            self = try Self.opening(head, connection, isStream: isStream, local)
        } catch {
            let failure = ExchangeFailure(side: .client, phase: .request, cause: error.cause, message: error.message)
            self = Self.refusal(of: head, failure, code: error.code)
        }
    }

    private static func opening(
        _ head: RequestHead,
        _ connection: ClientConnection,
        isStream: Bool,
        _ local: () -> SocketAddress?
    ) throws(MessageProblem) -> RequestOpening {
        let loop = connection.loop
        if case .explicit = connection.route, head.method == "CONNECT", head.extendedProtocol == nil {
            return .tunnel(try tunnel(head, isStream: isStream))
        }
        try RequestRoute.checkHost(head)
        try Expectation.check(head)
        func exchange(_ route: RequestRoute, _ key: UpstreamKey) -> RequestOpening {
            let source = loop.configuration.answers ?? connection.pages(at: key, local)
            return .exchange(ExchangeSubject(head, route, key, source))
        }
        switch connection.route {
        case .explicit:
            let route: RequestRoute
            if head.version == .http2 {
                route = try RequestRoute(fields: head)
                // A request of HTTP/2 does not tell whether its client takes us for the server or for a proxy.
                if loop.configuration.answers != nil { try connection.checkOwnName(route.endpoint.host) }
            } else if head.isForOrigin {
                guard loop.configuration.answers != nil else {
                    return refusal(of: head, LocalAnswers.refusal, code: 508)
                }
                route = try connection.ownRoute(head, .http)
            } else {
                route = try RequestRoute(absolute: head)
            }
            return exchange(route, key(for: route, connection, isStream: isStream))
        case .inside(let scheme, let made):
            let key = connection.allowed(made)
            let route = try connection.route(head, scheme, key)
            // Only HTTP/1.1 can switch to a WebSocket.
            return exchange(route, head.asksForWebSocket ? key.offering(.http1) : key)
        }
    }

    private static func tunnel(_ head: RequestHead, isStream: Bool) throws(MessageProblem) -> Endpoint {
        // A tunnel takes a connection over, and a stream is none.
        guard !isStream else {
            throw MessageProblem(
                "A CONNECT within HTTP/2 opens no tunnel here; one over HTTP/1.1 does, with HTTP/2 inside it.",
                code: 501,
                cause: .connect
            )
        }
        guard let endpoint = Endpoint(authority: head.targetText, defaultPort: nil) else {
            throw MessageProblem("The target of a CONNECT is not a host and a port.")
        }
        guard head.framing == .none else { throw MessageProblem("A CONNECT has a body.", cause: .ambiguousFraming) }
        return endpoint
    }

    /// The connection that a request to an explicit proxy needs.
    private static func key(for route: RequestRoute, _ connection: ClientConnection, isStream: Bool) -> UpstreamKey {
        let serverName = route.scheme == .https ? route.endpoint.host : nil
        let offer: UpstreamKey.Offer =
            switch serverName {
            case nil: isStream ? .priorKnowledge : .http1
            default: isStream || !connection.loop.configuration.matchesProtocols ? .both : .http1
            }
        return UpstreamKey(
            endpoint: route.endpoint,
            serverName: serverName,
            offer: offer,
            reach: connection.reach
        )
    }

    private static func refusal(of head: RequestHead, _ failure: ExchangeFailure, code: Int) -> RequestOpening {
        let endpoint = (try? RequestRoute(absolute: head))?.endpoint
        return .refusal(ExchangeSubject(refused: head, endpoint: endpoint), failure, code: code)
    }

    /// Where a refused request says that it goes; `nil` where it names no endpoint.
    private static func named(_ head: RequestHead) -> Endpoint? {
        if head.method == "CONNECT", head.extendedProtocol == nil {
            return Endpoint(authority: head.targetText, defaultPort: nil)
        }
        return (try? head.version == .http2 ? RequestRoute(fields: head) : RequestRoute(absolute: head))?.endpoint
    }
}
