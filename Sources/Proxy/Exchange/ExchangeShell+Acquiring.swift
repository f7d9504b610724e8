import NIOCore
import Traffic

/// How an exchange gets its upstream: a kept connection, a stream of a shared one, or a new connection.
extension ExchangeShell {
    /// Gets a connection to the upstream, or what answers in its place.
    func connect(_ attempt: ConnectAttempt) {
        guard let errand = subject.errand else { return }
        if isRequestHeldByRules { return judgeRequest(at: .requestHead) }
        if let source = errand.source {
            return use(SuppliedUpstream(source, errand.route, for: self))
        }
        var key = errand.key
        switch attempt {
        case .first, .anew: break
        case .afresh:
            resetCode = nil
            forgetUpstream()
            noteFirstSend()
        case .offeringMore:
            key = key.offering(.both)
            forgetUpstream()
        }
        if sender == nil, let refusal = client.connection.takeRefusal() { return fail(refusal) }
        acquire(key, isFresh: attempt.isFresh)
    }

    /// Takes out of the record what it has of an upstream: the next connection, if there is one, shows its own.
    private func forgetUpstream() {
        marks.ready = nil
        tap.exchange.upstream = nil
        tap.exchange.upstreamStream = nil
        tap.exchange.upstreamVersion = nil
        tap.exchange.timeline.dns = nil
        tap.exchange.timeline.connect = nil
        tap.exchange.timeline.tls = nil
    }

    /// Gets a connection that the client may have now: where it may go can have changed since its request came.
    private func acquire(_ asked: UpstreamKey, isFresh: Bool) {
        var key = client.connection.allowed(asked)
        subject.errand?.key = key
        // An extended CONNECT needs a stream, and kept connections are none.
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

    /// A kept connection that was offered HTTP/2 and chose HTTP/1.1, for a request that asks for a WebSocket.
    private func idleForWebSocket(_ key: UpstreamKey) -> UpstreamHandler? {
        subject.head.asksForWebSocket ? loop.pool.take(key.offering(.both)) : nil
    }

    /// Tells that there is no upstream, once everything that came of the request is read: a whole request leaves its connection usable.
    private func fail(_ refusal: UpstreamRefusal, offersLess: Bool = false) {
        if let peer = refusal.peer { tap.exchange.upstream = peer }
        loop.loop.assumeIsolated().execute { [self] in
            tell(.upstreamUnavailable(refusal.failure, offersLess: offersLess))
        }
    }

    /// Puts the exchange on a new connection or stream if that takes such a request; the settings of HTTP/2 may have to come first.
    private func adoptFresh(_ upstream: UpstreamHandler) {
        subject.errand?.key = upstream.key
        // Where the client may go can have changed while the connection was made.
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
        tap.exchange.upstreamVersion = upstream.version
        tap.exchange.timeline.dns = upstream.setUp?.dns
        tap.exchange.timeline.connect = upstream.setUp?.connect
        tap.exchange.timeline.tls = upstream.setUp?.tls
        upstream.setUp = nil
        use(upstream)
        return true
    }

    /// Sends the request there from here on.
    func use(_ upstream: any Upstream) {
        let now = loop.now
        let ordered = HeadFirstUpstream.isFor(subject.head, on: upstream) ? HeadFirstUpstream(upstream) : upstream
        self.upstream = rules == nil ? ordered : paced(ordered)
        marks.ready = now
        marks.active = now
        tell(.upstreamReady(isReused: upstream.isReused, isStream: upstream.isStream))
    }
}
