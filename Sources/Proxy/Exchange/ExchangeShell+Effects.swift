import NIOCore
import NIOHTTP2
import Traffic

/// What each effect of the state machine does to the client, the upstream and the record.
extension ExchangeShell {
    /// Does what the machine says.
    func perform(_ effect: Effect) {
        switch effect {
        case .connect(let attempt): connect(attempt)
        case .sendHead:
            if machine.isSecondTry { noteSecondSend() }
            upstream?.sendHead(of: self)
        case .send(let bytes): upstream?.send(bytes)
        case .sendEnd(let trailers): upstream?.sendEnd(trailers)
        case .endOutput: upstream?.endOutput()
        case .flushUpstream:
            flushUpstream()
            client.resumeRead()
        case .deliverInterim(let head):
            guard let part = client.interimHead(of: head, for: self) else { return }
            client.write(part)
            client.flush()
        case .deliverHead: if let responsePart { client.write(responsePart) }
        case .deliverBody(let bytes):
            client.write(.body(bytes))
            if !unsent.isEmpty {
                client.keep(unsent)
                unsent = []
            }
        case .deliverEnd(let trailers): client.writeEnd(trailers, of: self)
        case .deliverAnswer: if let answer { client.write(answer, of: self) }
        case .flushClient: if machine.hasAllContent { client.flushLast() } else { client.flush() }
        case .recordResponse: recordResponse()
        case .noteUnsaidEnd:
            isUpstreamReusable = false
            tap.exchange.warnings.append(
                "The content of the response was whole, but the upstream did not end its stream."
            )
        case .noteUnreadRest:
            tap.exchange.warnings.append(
                "The response was complete before the request; the rest of the request was not read."
            )
        case .noteUnreadRedirect:
            tap.exchange.warnings.append(
                "The client left with the redirect's head; the rest of the response was not read."
            )
        case .noteUnclosedEnd(let end): tap.exchange.warnings.append(end.message)
        case .noteClosedWebSocket:
            tap.exchange.warnings.append("The proxy was stopped, and closed the WebSocket (close code 1001).")
        case .noteLate: late = loop.noteLate()
        case .record(let outcome, let failure, let isAnswered): record(outcome, failure, isAnswered: isAnswered)
        case .releaseUpstream: upstream.take()?.release(from: self)
        case .dropUpstream: upstream.take()?.drop(resetCode ?? .cancel)
        case .leaveUpstream:
            isUpstreamReusable = false
            upstream.take()?.release(from: self)
        case .reportSilence(let since): upstream?.wasSilent(since: since)
        case .cutOffClient: client.cutOff()
        case .finish(let isWhole):
            end()
            client.ended(self, isWhole: isWhole)
        case .breakClient:
            end()
            client.broken(self)
        case .leaveClient:
            end()
            client.left(self)
        }
    }

    // MARK: The record

    /// Tells the record of a response that is complete before its request: so the client need not wait for the request's end.
    private func recordResponse() {
        marks.answering = loop.now
        marks.fill(&tap.exchange.timeline, at: loop.now, isFinal: false)
        tap.exchange.client = client.connection.peer
        tap.answered(loop.lane) { [self] in tell(.responseRecorded) }
    }

    private func record(_ outcome: Outcome, _ failure: ExchangeFailure?, isAnswered: Bool) {
        let now = loop.now
        // An exchange that is over needs no connection any more.
        search.take()?.giveUp()
        marks.held = now
        marks.fill(&tap.exchange.timeline, at: now, isFinal: true)
        tap.exchange.outcome = outcome
        tap.exchange.failure = failure
        if rules != nil { closeRules() }
        if let failure, isAnswered { makeAnswer(failure) }
        if client.connection.isAwaited {
            client.connection.whenKnown { [self] in hand() }
        } else {
            hand()
        }
    }

    /// Makes the proxy's own answer; the connection ends behind it where the rest of the request is not read.
    private func makeAnswer(_ failure: ExchangeFailure) {
        if !machine.isRequestEnded { persists = false }
        let code = answerCode ?? OwnAnswer.code(for: failure)
        // Where an upstream's was held back the client has got this one in its place.
        if tap.exchange.code != nil { tap.exchange.code = code }
        let answer = OwnAnswer(
            failure,
            code: code,
            hasBody: subject.head.method != "HEAD",
            closes: !persists && client.version != .http2,
            version: client.version,
            rule: rule(of: failure)
        )
        self.answer = answer
        tap.exchange.ownResponse = answer.text
    }

    /// The rule that answers or refuses the request, or has sent it where there is no answer; `nil` where none has caused the failure.
    private func rule(of failure: ExchangeFailure) -> String? {
        guard failure.cause == .rule else { return failure.side == .upstream ? sender : nil }
        return tap.exchange.rules.last { ["respond", "block"].contains($0.action) && !$0.what.isEmpty }?.rule
    }

    /// Hands the finished record over; a client that has waited too long may have its end before the commit.
    private func hand() {
        let replay = client.connection.replay
        tap.exchange.client = client.connection.peer
        tap.end(loop.lane) { [self] id in
            replay?.recorded(id)
            if id != nil, let late { loop.lane.add(late) }
            guard !isEnded else { return }
            if id != nil { loop.shared.late.tookInTime(loop.now) }
            tell(.recorded)
        }
    }
}
