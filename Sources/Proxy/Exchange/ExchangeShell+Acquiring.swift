import NIOCore
import Traffic

/// How an exchange comes to its upstream: a connection that is kept, one of others, or a new one, as far as that fits the request.
extension ExchangeShell {
    /// Gets a connection to the upstream, or what answers in its place.
    func connect(_ attempt: ConnectAttempt) {
        guard let errand = subject.errand else { return }
        if let source = errand.source {
            return use(SuppliedUpstream(source, errand.route, for: self))
        }
        var key = errand.key
        switch attempt {
        case .first, .anew: break
        case .afresh:
            resetCode = nil
            tap.exchange.warnings.append(
                "The upstream had closed a kept connection, or not begun with the request; it was sent again on a new one."
            )
        case .offeringMore:
            key = key.offering(.both)
            // The next connection shows it anew.
            tap.exchange.upstream = nil
        }
        if let refusal = client.connection.takeRefusal() { return fail(refusal) }
        acquire(key, isFresh: attempt == .afresh || attempt == .anew)
    }

    /// Gets a connection of those that the client may have now, which need not be those of when its request came.
    private func acquire(_ asked: UpstreamKey, isFresh: Bool) {
        var key = client.connection.allowed(asked)
        subject.errand?.key = key
        // An extended CONNECT is for a stream, and none of these is one.
        let mayBeKept = !isFresh && subject.head.extendedProtocol == nil
        while mayBeKept, let kept = client.connection.bound.take(key) ?? loop.pool.take(key) ?? idleForWebSocket(key) {
            if adopt(kept) { return }
            kept.close()
        }
        key = loop.shared.memory.offerable(key)
        subject.errand?.key = key
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        let dial = client.connection.newDial()
        search = dial
        let acquiring = loop.pool.acquire(key, for: client.connection, again: isFresh ? token : nil, as: dial)
        acquiring.assumeIsolated().whenComplete { [key] result in
            let exchange = bound.value
            guard !exchange.isDeaf else {
                if case .success(let upstream) = result { exchange.loop.pool.giveBack(upstream.value) }
                return
            }
            exchange.search = nil
            switch result {
            case .success(let upstream): exchange.adoptFresh(upstream.value)
            case .failure(let error):
                let refusal = UpstreamRefusal(
                    error,
                    otherwise: exchange.upstreamFailure(.connect, .connect, "could not be connected to: \(error)")
                )
                exchange.fail(refusal, offersLess: key.offer == .http1)
            }
        }
    }

    /// A connection that was offered HTTP/2 and came to speak HTTP/1.1, for a WebSocket; others look under their own key.
    private func idleForWebSocket(_ key: UpstreamKey) -> UpstreamHandler? {
        subject.head.asksForWebSocket ? loop.pool.take(key.offering(.both)) : nil
    }

    /// Tells that there is no upstream, once what has come of the request is read: the connection of a whole request can be used again.
    private func fail(_ refusal: UpstreamRefusal, offersLess: Bool = false) {
        if let peer = refusal.peer {
            tap.exchange.upstream = peer
            tap.exchange.upstreamStream = nil
        }
        loop.loop.assumeIsolated().execute { [self] in
            tell(.upstreamUnavailable(refusal.failure, offersLess: offersLess))
        }
    }

    /// Takes what was acquired for the exchange, if it takes such a request, which its settings may have to say.
    private func adoptFresh(_ upstream: UpstreamHandler) {
        subject.errand?.key = upstream.key
        // While it was made or waited for, it came to matter anew where its client may go.
        guard client.connection.allowed(upstream.key) == upstream.key else {
            loop.pool.giveBack(upstream)
            return tell(.upstreamOutdated)
        }
        switch upstream.readiness(for: subject) {
        case .ready:
            if adopt(upstream) { return }
            tell(.upstreamUnavailable(upstreamFailure(.connect, .closed, "closed the connection at once")))
        case .unfit(let cause, let message, let code):
            loop.pool.giveBack(upstream)
            answerCode = code
            tell(.upstreamUnavailable(upstreamFailure(.connect, cause, message)))
        case .refused(let cause, let message):
            loop.pool.giveBack(upstream)
            tell(.refused(clientFailure(.request, cause, message)))
        case .unsettled(let whenSettled):
            unsettled = upstream
            whenSettled { [self] in
                guard unsettled.take() != nil, !isDeaf else { return loop.pool.giveBack(upstream) }
                adoptFresh(upstream)
            }
        }
    }

    private func adopt(_ upstream: UpstreamHandler) -> Bool {
        guard upstream.attach(self) else { return false }
        tap.exchange.upstream = upstream.peer
        // What there is of a first try is another's: its stream, and what its connection took.
        tap.exchange.upstreamStream = nil
        tap.exchange.upstreamVersion = upstream.version
        tap.exchange.timeline.dns = upstream.setUp?.dns
        tap.exchange.timeline.connect = upstream.setUp?.connect
        tap.exchange.timeline.tls = upstream.setUp?.tls
        upstream.setUp = nil
        use(upstream)
        return true
    }

    /// From here on the request goes there.
    private func use(_ upstream: any Upstream) {
        let now = loop.now
        self.upstream = upstream
        marks.ready = now
        marks.active = now
        tell(.upstreamReady(isReused: upstream.isReused, isStream: upstream.isStream))
    }
}
