import NIOCore
import Traffic

/// What the state machine's effects mean on channels.
extension ExchangeHandler {
    func perform(_ effect: Effect) {
        switch effect {
        case .connect(let isFresh): connect(isFresh: isFresh)
        case .sendHead: sendHead()
        case .send(let bytes): live?.upstream?.send(.body(bytes))
        case .sendEnd(let trailers): live?.upstream?.send(.end(trailers))
        case .flushUpstream:
            live?.upstream?.flush()
            resumeRead()
        case .deliverInterim(let head):
            // HTTP/1.0 knows none (RFC 9110 §15.2).
            guard live?.head?.version != .http10 else { return }
            write(.head(head.raw, .none))
            context?.flush()
        case .deliver(let head): deliver(head)
        case .deliverBody(let bytes): write(.body(bytes))
        case .deliverEnd(let trailers): write(.end(trailers))
        case .deliverAnswer: deliverAnswer()
        case .flushClient: context?.flush()
        case .record(let outcome, let failure): record(outcome, failure)
        case .releaseUpstream: releaseUpstream()
        case .dropUpstream: dropUpstream()
        case .finish(let isWhole): finish(isWhole: isWhole)
        case .breakClient:
            let channel = context?.channel
            clearLive()
            if let channel { ConnectionEnd.reset(channel) }
        }
    }

    private func write(_ part: WirePart) { context?.write(wrapOutboundOut(part), promise: nil) }

    // MARK: Upstream

    private func connect(isFresh: Bool) {
        guard let key = live?.key, let token = live?.token else { return }
        if isFresh {
            live?.tap.exchange.warnings.append(
                "The upstream had closed a kept connection; the request was sent again on a new one."
            )
        }
        if let refusal = connection.refusal {
            fail(token, refusal)
            return
        }
        while !isFresh, let upstream = loop.pool.take(key) {
            if adopt(upstream) { return }
        }
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        loop.pool.open(key).assumeIsolated().whenComplete { result in
            let handler = bound.value
            guard handler.live?.token == token, handler.live?.machine.isHeld == false else {
                if case .success(let upstream) = result { handler.loop.pool.put(upstream.value) }
                return
            }
            switch result {
            case .success(let upstream):
                if !handler.adopt(upstream.value) {
                    handler.tell(
                        .upstreamUnavailable(
                            handler.upstreamFailure(.connect, "closed", "closed the connection at once")
                        )
                    )
                }
            case .failure(let error):
                handler.fail(
                    token,
                    error as? ExchangeFailure
                        ?? handler.upstreamFailure(.connect, "connect", "could not be connected to: \(error)")
                )
            }
        }
    }

    /// Tells that there is no upstream, once what has come of the request is read: the connection of a whole request can be used again.
    private func fail(_ token: CaptureToken, _ failure: ExchangeFailure) {
        loop.loop.assumeIsolated().execute { [self] in
            if live?.token == token { tell(.upstreamUnavailable(failure)) }
        }
    }

    private func adopt(_ upstream: UpstreamHandler) -> Bool {
        guard let head = live?.head, upstream.attach(self, method: head.method) else { return false }
        let now = NIODeadline.now()
        live?.upstream = upstream
        live?.ready = now
        live?.active = now
        live?.tap.exchange.upstream = upstream.peer
        live?.tap.exchange.upstreamVersion = .http11
        if let setUp = upstream.setUp {
            live?.tap.exchange.timeline.dns = setUp.dns
            live?.tap.exchange.timeline.connect = setUp.connect
            live?.tap.exchange.timeline.tls = setUp.tls
            upstream.setUp = nil
        }
        tell(.upstreamReady(isReused: upstream.isReused))
        return true
    }

    private func sendHead() {
        guard let head = live?.head, let route = live?.route else { return }
        let sent = HopByHop.request(head, target: route.originTarget, host: route.host)
        if sent != head.raw { live?.tap.exchange.request.sentHead = sent }
        live?.upstream?.send(.head(sent, head.framing))
    }

    private func releaseUpstream() {
        guard let upstream = live?.upstream else { return }
        live?.upstream = nil
        upstream.detach()
        if live?.isUpstreamReusable == true { loop.pool.put(upstream) } else { upstream.close() }
    }

    private func dropUpstream() {
        guard let upstream = live?.upstream else { return }
        live?.upstream = nil
        upstream.detach()
        upstream.reset()
    }

    // MARK: Client

    private func deliver(_ head: ResponseHead) {
        guard let request = live?.head else { return }
        let cannotChunk = request.version == .http10 && head.framing == .chunked
        if cannotChunk || head.framing == .untilClose { live?.persists = false }
        let sent = HopByHop.response(head, keepsFraming: !cannotChunk, closes: live?.persists != true)
        write(.head(sent, cannotChunk ? .untilClose : head.framing))
    }

    private func deliverAnswer() {
        guard let answer = live?.tap.exchange.ownResponse else { return }
        write(.head(answer, .none))
    }

    private func finish(isWhole: Bool) {
        // A client may send its requests at once and close its side: what it had sent is answered.
        let persists = live?.persists == true && isWhole && (!isInputClosed || codec.bufferedBytes > 0)
        let replay = connection.replay
        clearLive()
        guard let context, context.channel.isActive else { return }
        if persists, replay == nil {
            codec.resume()
            resumeRead()
            // Once the parts that were just read are told.
            if isInputClosed { loop.loop.assumeIsolated().execute { [self] in inputEnded() } }
        } else {
            end()
        }
    }

    /// Ends the connection: what was written goes out first, then what still comes is read for a moment, so that no reset overtakes it.
    func end() {
        guard case .no = closing, let context else { return }
        closing = .writing(until: .now() + loop.configuration.idleTimeout)
        ConnectionEnd.whenWritten(context.channel) { [self] in
            guard let context = self.context, context.channel.isActive else { return }
            if isInputClosed {
                context.close(promise: nil)
            } else {
                closing = .lingering(until: .now() + .seconds(2), bytesLeft: 256 << 10)
                context.close(mode: .output, promise: nil)
                resumeRead()
            }
        }
    }

    /// Throws away what a client still sends after its answer.
    func drain(_ part: MessagePart) {
        guard case .lingering(let until, let bytesLeft) = closing, case .body(let bytes) = part else { return }
        let left = bytesLeft - bytes.readableBytes
        closing = .lingering(until: until, bytesLeft: left)
        if left <= 0 { context?.close(promise: nil) }
    }

    // MARK: The record

    private func record(_ outcome: Outcome, _ failure: ExchangeFailure?) {
        let now = NIODeadline.now()
        live?.held = now
        live?.time(at: now, isFinal: true)
        live?.tap.exchange.outcome = outcome
        live?.tap.exchange.failure = failure
        if outcome == .completed, live?.machine.isRequestEnded == false {
            live?.tap.exchange.warnings.append(
                "The response was complete before the request; the rest of the request was not read."
            )
        }
        if let failure, live?.machine.endsWithAnswer == true {
            let closes = live?.persists != true || live?.machine.isRequestEnded != true
            if closes { live?.persists = false }
            let answer = OwnAnswer.bytes(
                failure,
                code: live?.answerCode ?? OwnAnswer.code(for: failure),
                hasBody: live?.head?.method != "HEAD",
                closes: closes
            )
            live?.tap.exchange.ownResponse = answer
        }
        guard let token = live?.token else { return }
        let replay = connection.replay
        live?.tap.end(loop.lane) { [self] id in
            replay?.recorded(id)
            if live?.token == token { tell(.recorded) }
        }
    }
}
