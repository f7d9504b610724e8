import NIOCore
import NIOHTTP2
import Traffic

/// What rules do to the time that an exchange takes: nothing here blocks, and every wait is a task of the loop that ends with the exchange.
extension ExchangeShell {
    /// Whether a side is a stream of messages, each of which takes its own time.
    func isOfMessages(_ side: MessageSide) -> Bool { isWebSocket || tap.messages.isStream(side) }

    private var sharer: RulePacing.Sharer {
        RulePacing.Sharer(host: tap.exchange.host, connection: String(client.connection.peer.token))
    }

    // MARK: Delays

    /// Has the request wait for the delays of rules, and goes on then; it goes on at once where there are none.
    func delayRequest(by firings: [RuleFiring], _ then: @escaping () -> Void) {
        guard let rules, !firings.isEmpty else { return then() }
        let timing = rules.timing
        let wait = rules.pace(.request, by: firings, sharer)
        guard wait > 0, !timing.isLifted else { return then() }
        let goOn = { [self] in
            guard !isDeaf else { return }
            self.rules?.run.noteWaited(.request, by: firings)
            if hasClientStopped { noteStopped() }
            then()
        }
        timing.hasDelayed = true
        // What comes of it meanwhile may have to be edited.
        rules.awaitRequestBody()
        let timer = loop.loop.assumeIsolated().scheduleTask(in: .microseconds(wait)) {
            timing.delay = nil
            goOn()
        }
        timing.delay = (timer, goOn)
    }

    /// Warns that the client may have left while a rule had its request wait: one that only has no more to send looks the same.
    private func noteStopped() {
        tap.exchange.warnings.append(
            "The client had ended its side of the connection when a rule's delay was over: it may have left, and the request was sent."
        )
    }

    /// Whether the response waits for the delays of rules; then it goes on later by itself.
    func delaysResponse(by firings: [RuleFiring], _ then: @escaping () -> Void) -> Bool {
        guard let rules, !firings.isEmpty else { return false }
        let wait = rules.pace(.response, by: firings, sharer)
        guard wait > 0, !rules.timing.isLifted else { return false }
        rules.timing.opened().hold(until: loop.nanoseconds + wait * 1_000) { [self] in
            self.rules?.run.noteWaited(.response, by: firings)
            then()
        }
        passOn()
        return true
    }

    // MARK: The way up

    /// The upstream as the exchange uses it: at the end of a slow network, where rules ask for one.
    func paced(_ upstream: any Upstream) -> any Upstream {
        guard let timing = rules?.timing, timing.pacing.slowsRequest else { return upstream }
        let paced = PacedUpstream(upstream, for: self, timing)
        timing.upload = paced
        return paced
    }

    // MARK: The way back

    /// Whether something that the upstream tells has to wait; then it is told again in time.
    func waits(_ news: UpstreamNews) -> Bool {
        guard let timing = rules?.timing, let gate = timing.gate else { return false }
        guard !gate.isTelling else {
            gate.isTelling = false
            return false
        }
        let now = loop.now
        marks.active = now
        var latency: Int64 = 0
        let isOfMessages = isOfMessages(.response)
        switch news {
        case .head, .opened:
            latency = timing.drawLatency()
            // So long the upstream took; the rest is ours.
            if case .head(let head) = news, head.isInterim { break }
            if marks.firstByte == nil { marks.firstByte = now }
        case .body: if isOfMessages { latency = timing.drawLatency() }
        case .malformed, .failed, .broke, .reset: timing.upload?.abandon()
        case .ended: break
        }
        gate.take(news, at: loop.nanoseconds, latency: latency, isOfMessages: isOfMessages)
        passOn()
        return true
    }

    /// Has something wait that was told, until the delay is over that stands before it.
    func putBack(_ news: UpstreamNews) {
        rules?.timing.gate?.putBack(news, at: loop.nanoseconds)
        // A short delay may be over already.
        passOn()
    }

    /// Tells what need not wait any longer, and waits for the rest.
    func passOn() { passOn(at: loop.nanoseconds) }

    private func passOn(at now: Int64) {
        guard let timing = rules?.timing, let gate = timing.gate, !gate.isPassing, gate.timer == nil else { return }
        gate.isPassing = true
        var hasTold = false
        // An exchange that ends meanwhile has no rules any more.
        loop: while rules != nil {
            // Messages may go up for as long as their client likes, and hold nothing of the response up.
            let isUploading = timing.upload?.isHolding == true && !isWebSocket && !isOfMessages(.request)
            switch gate.next(now, isUploading: isUploading) {
            case .tell(let news):
                hasTold = true
                gate.isTelling = true
                tell(news)
                gate.isTelling = false
            case .act(let then):
                hasTold = true
                then()
            case .wait(let until):
                timing.began(.response, now)
                wake(gate, at: until, now)
                break loop
            case .rest:
                timing.ended(.response, now)
                break loop
            }
        }
        gate.isPassing = false
        if hasTold, !isDeaf { tell(.responsePaused) }
        if !gate.isFull { upstream?.resumeRead() }
    }

    private func wake(_ gate: ResponseGate, at until: Int64, _ now: Int64) {
        gate.timer = loop.loop.assumeIsolated().scheduleTask(in: .nanoseconds(max(0, until - now))) { [self] in
            gate.timer = nil
            // The clock may be another than the loop's.
            passOn(at: max(loop.nanoseconds, until))
        }
    }

    private func tell(_ news: UpstreamNews) {
        switch news {
        case .head(let head): upstreamSent(head)
        case .opened(let head, let sent): upstreamOpened(head, sent: sent)
        case .body(let bytes): upstreamSent(bytes)
        case .ended(let trailers): upstreamEnded(trailers)
        case .malformed(let malformed): upstreamSent(malformed)
        case .failed(let failure): upstreamFailed(failure)
        case .broke(let cause, let message, let isWithinHead):
            upstreamBroke(cause: cause, message: message, isWithinHead: isWithinHead)
        case .reset(let code, let isOurs, let isUnprocessed):
            upstreamReset(code, isOurs: isOurs, isUnprocessed: isUnprocessed)
        }
    }
}

extension ProxyLoop {
    /// The time now, in nanoseconds.
    var nanoseconds: Int64 { Int64(clamping: now.uptimeNanoseconds) }
}
