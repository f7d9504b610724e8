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
            beginNext()
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
