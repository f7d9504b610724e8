import NIOCore
import Traffic

/// How an exchange comes to its upstream: a connection that is kept, one of others, or a new one, as far as that fits the request.
extension ExchangeHandler {
    /// Gets a connection to the upstream, or begins to answer in its place; a fresh one is one that nothing was sent on.
    func connect(isFresh: Bool) {
        guard let token = live?.token else { return }
        if live?.source != nil { return beginSupplied() }
        if isFresh {
            live?.resetCode = nil
            live?.tap.exchange.warnings.append(
                "The upstream had closed a kept connection, or not begun with the request; it was sent again on a new one."
            )
        }
        if let refusal = connection.takeRefusal() {
            fail(token, refusal)
            return
        }
        acquire(isFresh: isFresh)
    }

    /// Gets a connection of those that the client may have now, which need not be those of when its request came.
    private func acquire(isFresh: Bool) {
        guard var key = live?.key.map(connection.allowed), let token = live?.token else { return }
        live?.key = key
        // An extended CONNECT is for a stream, and none of these is one.
        let mayBeKept = !isFresh && live?.head?.extendedProtocol == nil
        while mayBeKept,
            let upstream = connection.bound.take(key) ?? loop.pool.take(key) ?? idleForWebSocket(key)
        {
            if adopt(upstream) { return }
        }
        key = loop.shared.memory.offerable(key)
        live?.key = key
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        let again = isFresh ? token : nil
        let dial = connection.newDial()
        live?.search = dial
        let acquiring = loop.pool.acquire(key, for: connection, again: again, as: dial)
        acquiring.assumeIsolated().whenComplete { result in
            let handler = bound.value
            guard handler.live?.token == token, handler.live?.machine.isHeld == false else {
                if case .success(let upstream) = result { handler.loop.pool.giveBack(upstream.value) }
                return
            }
            handler.live?.search = nil
            switch result {
            case .success(let upstream): handler.adoptFresh(upstream.value)
            case .failure(let error):
                if handler.offersMore(than: key, error) { return }
                handler.fail(
                    token,
                    UpstreamRefusal(
                        error,
                        otherwise: handler.upstreamFailure(.connect, .connect, "could not be connected to: \(error)")
                    )
                )
            }
        }
    }

    /// Looks for an upstream once more where it refused to speak HTTP/1.1: it speaks HTTP/2 alone, and what the client sends is translated.
    private func offersMore(than key: UpstreamKey, _ error: any Error) -> Bool {
        let cause = (error as? UpstreamRefusal)?.failure.cause ?? (error as? ExchangeFailure)?.cause
        guard key.offer == .http1, cause == .upstreamNoApplicationProtocol else { return false }
        live?.key = key.offering(.both)
        perform(.connect(isFresh: false))
        return true
    }

    /// A connection that was offered HTTP/2 and came to speak HTTP/1.1, for a WebSocket; others look under their own key.
    private func idleForWebSocket(_ key: UpstreamKey) -> UpstreamHandler? {
        live?.head?.asksForWebSocket == true ? loop.pool.take(key.offering(.both)) : nil
    }

    /// Tells that there is no upstream, once what has come of the request is read: the connection of a whole request can be used again.
    private func fail(_ token: CaptureToken, _ refusal: UpstreamRefusal) {
        if let peer = refusal.peer {
            live?.tap.exchange.upstream = peer
            live?.tap.exchange.upstreamStream = nil
        }
        loop.loop.assumeIsolated().execute { [self] in
            if live?.token == token { tell(.upstreamUnavailable(refusal.failure)) }
        }
    }

    /// Takes what was acquired for the exchange; one for an extended CONNECT has to take such a request, which its settings say.
    private func adoptFresh(_ upstream: UpstreamHandler) {
        // While it was made or waited for, it came to matter anew where its client may go.
        guard connection.allowed(upstream.key) == upstream.key else {
            loop.pool.giveBack(upstream)
            return acquire(isFresh: true)
        }
        live?.key = upstream.key
        if upstream.isStream, let limit = exceededLimit(of: upstream) {
            loop.pool.giveBack(upstream)
            live?.answerCode = 431
            let message = "takes no request head of more than \(limit) bytes over HTTP/2"
            return tell(.upstreamUnavailable(upstreamFailure(.connect, .tooLong, message)))
        }
        if upstream.isStream, let problem = openingProblem {
            loop.pool.giveBack(upstream)
            return tell(.refused(problem))
        }
        let isExtended =
            live?.head?.extendedProtocol != nil || (live?.head?.asksForWebSocket == true && upstream.isStream)
        if isExtended, upstream.connection?.takesExtendedConnect != true {
            guard let connection = upstream.connection, connection.takesExtendedConnect == nil else {
                loop.pool.giveBack(upstream)
                tell(
                    .upstreamUnavailable(upstreamFailure(.connect, .noExtendedConnect, "takes no extended CONNECT"))
                )
                return
            }
            let token = live?.token
            live?.unsettled = upstream
            connection.whenSettled { [self] in
                guard live?.token == token, live?.unsettled.take() != nil, live?.machine.isHeld == false else {
                    return loop.pool.giveBack(upstream)
                }
                guard !connection.isClosed else {
                    loop.pool.giveBack(upstream)
                    return tell(.upstreamUnavailable(closedAtOnce))
                }
                guard !connection.isSilent else {
                    loop.pool.giveBack(upstream)
                    let message = "sent no settings of HTTP/2 for \(loop.configuration.handshakeTimeout.text)"
                    return tell(.upstreamUnavailable(upstreamFailure(.connect, .timeout, message)))
                }
                adoptFresh(upstream)
            }
            return
        }
        guard !adopt(upstream) else { return }
        tell(.upstreamUnavailable(closedAtOnce))
    }

    private var closedAtOnce: ExchangeFailure {
        upstreamFailure(.connect, .closed, "closed the connection at once")
    }

    /// What the request's head is too long for: what the upstream has said that it takes, or what can be sent at all; `nil` when it fits.
    ///
    /// An upstream may end the connection over a longer one, with every other exchange on it.
    private func exceededLimit(of upstream: UpstreamHandler) -> Int? {
        guard let head = live?.head, let route = live?.route else { return nil }
        let limit = min(upstream.connection?.fieldsLimitBytes ?? .max, FrameSplitter.fieldsLimitBytes)
        // The text lacks at most the scheme, what pseudo-header fields are called, and 32 bytes for each field.
        guard head.raw.readableBytes + 32 * head.fields.count + 512 > limit,
            HTTP2Fields.size(HTTP2Fields.request(head, route: route).fields) > limit
        else { return nil }
        return limit
    }

    private func adopt(_ upstream: UpstreamHandler) -> Bool {
        guard let head = live?.head, upstream.attach(self, to: head) else { return false }
        let now = loop.now
        live?.upstream = upstream
        if !upstream.isStream, BoundLogin.isMade(by: head.fields) { upstream.isBound = true }
        live?.ready = now
        live?.active = now
        live?.tap.exchange.upstream = upstream.peer
        // What there is of a first try is another's: its stream, and what its connection took.
        live?.tap.exchange.upstreamStream = nil
        live?.tap.exchange.upstreamVersion = upstream.version
        live?.tap.exchange.timeline.dns = upstream.setUp?.dns
        live?.tap.exchange.timeline.connect = upstream.setUp?.connect
        live?.tap.exchange.timeline.tls = upstream.setUp?.tls
        upstream.setUp = nil
        tell(.upstreamReady(isReused: upstream.isReused, isStream: upstream.isStream))
        return true
    }
}
