import NIOCore
import Traffic

/// What the state machine's effects mean on channels.
extension ExchangeHandler {
    func perform(_ effect: Effect) {
        switch effect {
        case .connect(let isFresh): connect(isFresh: isFresh)
        case .sendHead: if live?.supplied == nil { sendHead() } else { inviteBody() }
        case .send(let bytes): if live?.supplied?.take(bytes) == nil { live?.upstream?.send(.body(bytes)) }
        case .sendEnd(let trailers):
            if live?.supplied != nil {
                askForAnswer()
            } else if live?.isSwitched != true {
                if live?.upstream?.isStream == true { noteRewritten(trailers, live?.head?.version, .request) }
                // A request that is to become a WebSocket ends in HTTP/1.1, and on a stream goes on.
                if live?.isOpeningOnStream != true { live?.upstream?.send(.end(trailers)) }
            } else if live?.hasUpstreamEnded == false || live?.upstream?.isStream == true {
                live?.upstream?.endOutput()
            }
        case .flushUpstream:
            flushUpstream()
            resumeRead()
        case .deliverInterim(let head):
            guard let part = interimPart(head) else { return }
            write(part)
            context?.flush()
        case .deliver: if let part = live?.responsePart { write(part) }
        case .deliverBody(let bytes): write(.body(bytes))
        case .deliverEnd(let trailers): deliverEnd(trailers)
        case .deliverAnswer: deliverAnswer()
        case .flushClient: context?.flush()
        case .recordResponse: recordResponse()
        case .record(let outcome, let failure): record(outcome, failure)
        case .releaseUpstream: releaseUpstream()
        case .dropUpstream: dropUpstream()
        case .finish(let isWhole): finish(isWhole: isWhole)
        case .breakClient:
            let channel = context?.channel
            let code = live?.breachCode ?? live?.resetCode ?? .internalError
            let isLeft = live?.isLeft == true
            clearLive()
            if let stream = codec.stream {
                stream.reset(code)
            } else if isLeft {
                end()
            } else if let channel {
                ConnectionEnd.reset(channel)
            }
        }
    }

    private func write(_ part: WirePart) { context?.write(wrapOutboundOut(part), promise: nil) }

    // MARK: Upstream

    private func connect(isFresh: Bool) {
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
                        otherwise: handler.upstreamFailure(.connect, "connect", "could not be connected to: \(error)")
                    )
                )
            }
        }
    }

    /// Looks for an upstream once more where it refused to speak HTTP/1.1: it speaks HTTP/2 alone, and what the client sends is translated.
    private func offersMore(than key: UpstreamKey, _ error: any Error) -> Bool {
        let cause = (error as? UpstreamRefusal)?.failure.cause ?? (error as? ExchangeFailure)?.cause
        guard key.offer == .http1, cause == HandshakeFailure.noProtocol else { return false }
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
            return tell(.upstreamUnavailable(upstreamFailure(.connect, "too-long", message)))
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
                    .upstreamUnavailable(upstreamFailure(.connect, "no-extended-connect", "takes no extended CONNECT"))
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
                    return tell(.upstreamUnavailable(upstreamFailure(.connect, "timeout", message)))
                }
                adoptFresh(upstream)
            }
            return
        }
        guard !adopt(upstream) else { return }
        tell(.upstreamUnavailable(closedAtOnce))
    }

    private var closedAtOnce: ExchangeFailure {
        upstreamFailure(.connect, "closed", "closed the connection at once")
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

    private func sendHead() {
        guard let head = live?.head, let route = live?.route else { return }
        guard let upstream = live?.upstream else { return }
        let (part, sent) = requestPart(head, route, isStream: upstream.isStream)
        live?.tap.exchange.request.sentHead = sent
        upstream.send(part)
    }

    private func releaseUpstream() {
        guard let upstream = live?.upstream else { return }
        live?.upstream = nil
        // The end of a request whose response came early may have been written within this very read.
        upstream.flush()
        upstream.detach()
        if live?.isUpstreamReusable == true {
            if upstream.isStream, live?.hasContent == true { LeavingConnection.awaitEnd(of: upstream, loop) }
            if upstream.isBound { connection.bound.keep(upstream) } else { loop.pool.giveBack(upstream) }
        } else if live?.isSwitched == true {
            // The last frames may still be on their way out.
            upstream.flush()
            LeavingConnection.leave(upstream.channel, loop)
        } else {
            upstream.close()
        }
    }

    private func dropUpstream() {
        if live?.isLeft == true { return releaseUpstream() }
        guard let upstream = live?.upstream else { return }
        live?.upstream = nil
        upstream.drop(live?.resetCode ?? .cancel)
    }

    // MARK: Client

    private func deliverAnswer() {
        guard let answer = live?.answer else { return }
        guard let stream = codec.stream else { return write(.head(answer.text, .none)) }
        write(.fields(answer.fields))
        if answer.body.readableBytes > 0 { write(.body(answer.body)) }
        // A stream that has ended on both sides could not be reset any more.
        if let code = live?.breachCode { stream.reset(code) } else { deliverEnd(nil) }
    }

    /// Ends the response; of a stream whose request goes on it is remembered when that is out.
    private func deliverEnd(_ trailers: ByteBuffer?) {
        guard codec.stream != nil, live?.machine.isRequestEnded == false, let context else {
            write(.end(trailers))
            return
        }
        let promise = context.eventLoop.makePromise(of: Void.self)
        live?.delivered = promise.futureResult
        context.write(wrapOutboundOut(.end(trailers)), promise: promise)
    }

    private func finish(isWhole: Bool) {
        // The rest of a stream's request is not wanted, which is said behind its response (RFC 9113 §8.1).
        if !isWhole, let stream = codec.stream {
            let code = live?.breachCode ?? .noError
            live?.delivered?.assumeIsolated().whenSuccess { stream.reset(code) }
        }
        // A client may send its requests at once and close its side: what it had sent is answered.
        let persists = live?.persists == true && isWhole && (!isInputClosed || codec.bufferedBytes > 0)
        let replay = connection.replay
        clearLive()
        guard let context, context.channel.isActive else { return }
        guard codec.stream == nil else { return context.flush() }
        if persists, replay == nil {
            context.flush()
            // The socket may have turned out to be broken.
            guard context.channel.isActive else { return }
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
        closing = .writing
        unread = SocketProgress(since: loop.now)
        if isInputClosed {
            context.flush()
            ConnectionEnd.whenWritten(context.channel) { [self] in close() }
        } else {
            ConnectionEnd.endOutput(context) { [self] in
                guard !isInputClosed else { return close() }
                closing = .lingering(until: loop.now + .seconds(2), bytesLeft: 256 << 10)
                // Whatever it is: a codec that waited for its turn to read it would hold it all.
                codec.becomeRaw()
                resumeRead()
            }
        }
    }

    private func close() {
        if let context, context.channel.isActive { context.close(promise: nil) }
    }

    /// Throws away what a client still sends after its answer.
    func drain(_ part: MessagePart) {
        guard case .lingering(let until, let bytesLeft) = closing, case .body(let bytes) = part else { return }
        let left = bytesLeft - bytes.readableBytes
        closing = .lingering(until: until, bytesLeft: left)
        if left <= 0 { context?.close(promise: nil) }
    }

    // MARK: The record

    /// Tells the record of a response that is complete before its request, which may go on for long: so that its client need not wait for its end.
    private func recordResponse() {
        // A WebSocket that one side has ended has nothing left to deliver.
        guard let live, !live.isSwitched else { return }
        let token = live.token
        live.answering = loop.now
        live.time(at: loop.now, isFinal: false)
        live.tap.exchange.client = connection.peer
        live.tap.answered(loop.lane) { [self] in
            guard self.live?.token == token, self.live?.answering.take() != nil else { return }
            tell(.responseRecorded)
        }
    }

    private func record(_ given: Outcome, _ reason: ExchangeFailure?) {
        let failure = given == .completed ? unclosed() : reason
        let outcome = failure == nil ? given : .failed
        let now = loop.now
        // The client has left or has its answer, and uses no connection any more.
        live?.search.take()?.giveUp()
        live?.held = now
        live?.time(at: now, isFinal: true)
        live?.tap.exchange.outcome = outcome
        live?.tap.exchange.failure = failure
        if outcome == .completed, live?.machine.isRequestEnded == false, live?.isSwitched == false {
            live?.tap.exchange.warnings.append(
                "The response was complete before the request; the rest of the request was not read."
            )
        }
        if let failure, live?.machine.endsWithAnswer == true {
            let closes = live?.persists != true || live?.machine.isRequestEnded != true
            if closes { live?.persists = false }
            let answer = OwnAnswer(
                failure,
                code: live?.answerCode ?? OwnAnswer.code(for: failure),
                hasBody: live?.head?.method != "HEAD",
                closes: closes && codec.stream == nil,
                version: codec.stream == nil ? .http11 : .http2
            )
            live?.answer = answer
            live?.tap.exchange.ownResponse = answer.text
        }
        guard let ending = live else { return }
        if connection.isAwaited {
            connection.whenKnown { [self] in finish(ending) }
        } else {
            finish(ending)
        }
    }

    /// Tells the record that an exchange is over; it may not be the one under way any more.
    private func finish(_ ending: LiveExchange) {
        let (token, replay) = (ending.token, connection.replay)
        ending.tap.exchange.client = connection.peer
        ending.tap.end(loop.lane) { [self] id in
            replay?.recorded(id)
            guard live?.token == token else { return }
            if id != nil { loop.shared.late.tookInTime(loop.now) }
            tell(.recorded)
        }
    }
}
