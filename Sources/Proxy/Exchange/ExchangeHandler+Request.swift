import Foundation
import NIOCore
import NIOHTTP2
import Traffic

/// How an exchange begins: a request is routed, refused, or turned into a tunnel.
extension ExchangeHandler {
    func begin(_ head: RequestHead) {
        if let (route, source) = requestForPage(head) {
            start(head, route, UpstreamKey(endpoint: route.endpoint, serverName: nil, reach: connection.reach), source)
            return
        }
        if let failure = connection.credentialProblem(head.fields) {
            turnAway(head, failure)
            return
        }
        do throws(MessageProblem) {
            if case .explicit = connection.route, head.method == "CONNECT", head.extendedProtocol == nil {
                try beginTunnel(head)
                return
            }
            try RequestRoute.checkHost(head)
            try Expectation.check(head)
            switch connection.route {
            case .explicit:
                if head.version == .http2 {
                    let route = try RequestRoute(fields: head)
                    // It does not tell whether we are taken for its server or for a proxy.
                    if loop.configuration.answers != nil { try connection.checkOwnName(route.endpoint.host) }
                    start(head, route, upstreamKey(route))
                    return
                }
                if head.isForOrigin, loop.configuration.answers != nil {
                    let route = try connection.ownRoute(head, .http)
                    start(head, route, upstreamKey(route))
                    return
                }
                guard !head.isForOrigin else {
                    refuse(head, failure: LocalAnswers.refusal, code: 508)
                    return
                }
                let route = try RequestRoute(absolute: head)
                start(head, route, upstreamKey(route))
            case .inside(let scheme, let made):
                let key = connection.allowed(made)
                let route = try connection.route(head, scheme, key)
                // Only HTTP/1.1 can switch to a WebSocket.
                start(head, route, head.asksForWebSocket ? key.offering(.http1) : key)
            }
        } catch {
            refuse(head, failure: clientFailure(.request, error.cause, error.message), code: error.code)
        }
    }

    /// The connection that a request to an explicit proxy needs.
    private func upstreamKey(_ route: RequestRoute) -> UpstreamKey {
        let serverName = route.scheme == .https ? route.endpoint.host : nil
        let isHTTP2 = codec.stream != nil
        let offer: UpstreamKey.Offer =
            switch serverName {
            case nil: isHTTP2 ? .priorKnowledge : .http1
            default: isHTTP2 || !loop.configuration.matchesProtocols ? .both : .http1
            }
        return UpstreamKey(
            endpoint: route.endpoint,
            serverName: serverName,
            offer: offer,
            reach: connection.reach
        )
    }

    private func start(
        _ head: RequestHead,
        _ route: RequestRoute,
        _ key: UpstreamKey,
        _ source: (any AnswerSource)? = nil
    ) {
        let target = route.originTarget.map { String(buffer: $0) } ?? head.targetText
        makeLive(
            head: head,
            raw: head.raw,
            route: route,
            key: key,
            scheme: route.scheme,
            endpoint: route.endpoint,
            target: target
        )
        live?.source = source ?? loop.configuration.answers ?? pages(at: key)
        if let host = route.host, head.fields.contains("host") {
            live?.tap.exchange.warnings.append(
                connection.naming == .upstream(host: host)
                    ? "The Host field was replaced by the reverse upstream's, \(host)."
                    : "The Host field named another authority than the request target; \(host) was sent."
            )
        }
        live?.tap.begin(.request, head.fields, loop.lane)
        if let live { loop.watch.soon(self, exchange: live.token, now: live.began) }
        tell(.request)
    }

    /// Answers a request without the right credentials; the client may ask again on the same connection, but behind a CONNECT.
    private func turnAway(_ head: RequestHead, _ failure: ExchangeFailure) {
        let isHTTP2 = head.version == .http2
        let endpoint =
            head.method == "CONNECT" && head.extendedProtocol == nil
            ? Endpoint(authority: head.targetText, defaultPort: nil)
            : (try? isHTTP2 ? RequestRoute(fields: head) : RequestRoute(absolute: head))?.endpoint
        makeLive(
            head: head,
            raw: head.raw,
            route: nil,
            key: nil,
            scheme: nil,
            endpoint: endpoint,
            target: head.targetText
        )
        guard let token = live?.token else { return }
        // Once what has come of the request is read: the connection of a whole one can be used again.
        loop.loop.assumeIsolated().execute { [self] in
            if live?.token == token { tell(.refused(failure)) }
        }
    }

    /// Answers a request that is not to be sent, and records it.
    func refuse(_ head: RequestHead, failure: ExchangeFailure, code: Int) {
        let endpoint = (try? RequestRoute(absolute: head))?.endpoint
        makeLive(
            head: head,
            raw: head.raw,
            route: nil,
            key: nil,
            scheme: nil,
            endpoint: endpoint,
            target: head.targetText
        )
        live?.answerCode = code
        live?.persists = false
        tell(.refused(failure))
    }

    /// Answers bytes that are no request, and records them.
    func refuse(_ malformed: MalformedMessage) {
        let failure = clientFailure(.request, malformed.problem.cause, malformed.problem.message)
        if live == nil {
            let kept = malformed.bytes.getSlice(
                at: malformed.bytes.readerIndex,
                length: min(malformed.bytes.readableBytes, loop.configuration.startLineLimitBytes)
            )
            var endpoint: Endpoint?
            if case .inside(_, let key) = connection.route { endpoint = key.endpoint }
            makeLive(
                head: nil,
                raw: kept ?? ByteBuffer(),
                route: nil,
                key: nil,
                scheme: nil,
                endpoint: endpoint,
                target: ""
            )
            let (came, isKept) = (malformed.bytes.readableBytes, kept?.readableBytes ?? 0)
            if isKept < came {
                live?.tap.exchange.warnings.append("Only the first \(isKept) of the \(came) bytes that came are kept.")
            }
        }
        live?.answerCode = malformed.problem.code
        // Other codes are for requests that are right, and not taken.
        if codec.stream != nil, malformed.problem.code == 400 { live?.breachCode = .protocolError }
        live?.persists = false
        tell(.refused(failure))
    }

    /// Answers a head that did not end in time, and records what came of it.
    func refuseSlowHead() {
        let bytes = codec.takeOver()
        refuse(
            MalformedMessage(
                problem: MessageProblem("The request head was not complete in time.", code: 408, cause: .timeout),
                bytes: bytes
            )
        )
    }

    func makeLive(
        head: RequestHead?,
        raw: ByteBuffer,
        route: RequestRoute?,
        key: UpstreamKey?,
        scheme: Scheme?,
        endpoint: Endpoint?,
        target: String
    ) {
        let token = loop.shared.nextToken()
        let now = loop.now
        var exchange = Exchange(
            timeline: Timeline(started: WallClock.microseconds()),
            method: head?.method ?? "",
            scheme: scheme,
            host: endpoint?.host ?? "",
            port: endpoint?.port ?? 0,
            target: target,
            request: Message(head: connection.recorded(raw)),
            client: connection.peer
        )
        exchange.version = head?.version ?? (codec.stream == nil ? nil : .http2)
        exchange.stream = codec.stream?.streamID
        exchange.replayOf = connection.replay?.original
        live = LiveExchange(
            token: token,
            machine: ExchangeStateMachine(
                method: head?.method ?? "",
                interimLimitCount: loop.configuration.interimLimitCount,
                isStream: codec.stream != nil,
                asksFirst: head.map { $0.framing != .none && Expectation.isMade(by: $0) } ?? false
            ),
            tap: CaptureTap(
                exchange,
                token: token,
                bodyLimitBytes: loop.configuration.bodyLimitBytes,
                messageLimits: loop.configuration.messageLimits,
                client: connection.holdings
            ),
            head: head,
            route: route,
            key: key,
            persists: head.map(keepsConnection) ?? false,
            began: now
        )
        noteReplaced(head?.raw, head?.version, .request)
    }

    /// Whether the client's connection may carry another exchange after this request.
    ///
    /// Not after a CONNECT that is refused (RFC 9931): what comes behind it may have been meant for the tunnel, and whoever made the client connect may have
    /// chosen it. Taken for requests to us, it would have the client's login and its place in the network.
    private func keepsConnection(_ head: RequestHead) -> Bool {
        head.version != .http10 && head.method != "CONNECT" && HopByHop.persists(head.fields, version: head.version)
    }
}
