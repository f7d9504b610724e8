import NIOCore
import NIOHTTP2
import Traffic

/// What an exchange is told by its client.
extension ExchangeShell {
    /// Whether more of the request can be taken now.
    var takesRequest: Bool { awaitsRequestBody || machine.takesRequest && upstream?.isWritable != false }

    /// The next bytes of the request's content came.
    func clientSent(_ bytes: ByteBuffer) {
        // What comes behind a request that gets no answer is no part of it.
        guard !machine.isHeld, !isLeftWaiting || !machine.isRequestEnded else { return }
        // Frames of the client's do not prolong a WebSocket that the upstream has ended.
        if !isWebSocket || !machine.isEarly { marks.active = loop.now }
        tap.body(.request, bytes, loop.lane)
        if let rules { clientSent(bytes, past: rules) } else { tell(.requestBody(bytes)) }
        tellFrames()
    }

    /// The request, or the client's half of a WebSocket, came to its end.
    func clientEnded(_ trailers: ByteBuffer?) {
        guard !machine.isRequestEnded else { return }
        guard !isWebSocket else {
            tellFrames()
            return tell(.requestEnd(nil))
        }
        marks.requestEnded = loop.now
        rules?.isRequestWhole = true
        tap.exchange.request.trailers = trailers
        noteReplaced(trailers, subject.head.version, .request)
        judgeRequest(at: .requestBody)
        if let rest = rules?.finish(.request) { tell(.requestBody(rest)) }
        if breaksOff(.request) { return }
        tell(.requestEnd(ruledTrailers(trailersPart(trailers, of: subject.head.fields, .request), .request)))
        if isLeftWaiting { readOutUnanswered() }
    }

    /// The client sends nothing more, though its request may not be complete.
    func clientStopped() {
        hasClientStopped = true
        guard machine.isRequestEnded else {
            let message = "The client closed the connection before its request was complete."
            return tell(.clientCancelled(clientFailure(.request, .closed, message)))
        }
        // No answer will come that it could be waiting for.
        guard isLeftWaiting else { return }
        tell(
            .clientCancelled(
                clientFailure(.wait, .closed, "The client closed the connection, to which a rule gives no answer.")
            )
        )
    }

    /// The client has left.
    func clientLeft() {
        tellFrames()
        let message = "The client closed the connection before it had the whole response."
        tell(.clientOver(client.ownBreak ?? clientFailure(.deliver, .closed, message)))
    }

    /// The client's connection broke.
    func clientBroke() {
        tellFrames()
        let message = "The client's connection broke before it had the whole response."
        tell(.clientOver(clientFailure(.deliver, .reset, message)))
    }

    /// The client's stream was reset: by the client, or by this end because the client broke the rules on it.
    ///
    /// - Parameters:
    ///   - code: what the reset says.
    ///   - own: the code of our reset; `nil` where the client reset the stream.
    func clientReset(_ code: HTTP2ErrorCode, own: HTTP2ErrorCode?) {
        // The upstream has done nothing wrong where the client has.
        resetCode = own == nil ? code : .cancel
        let why =
            own.map { "The client broke the rules of HTTP/2 on the stream, which was reset (\($0.name))." }
            ?? "The client reset the stream (\(code.name))."
        let failure = clientFailure(.deliver, .reset, why)
        // Any other code says that something is wrong (RFC 9113 §7); curl gives a stream up by STREAM_CLOSED.
        let isCancelled = own == nil && [.cancel, .noError, .streamClosed].contains(code)
        tell(isCancelled ? .clientCancelled(failure) : .clientGone(failure))
    }

    /// The client's connection has taken all content of a response that has not ended.
    func clientWasSentAll() { tell(.contentSent) }

    /// The client has room for more of the response.
    func clientTakesMore() { upstream?.resumeRead() }

    // MARK: Refusals

    /// Answers a request that is not to be sent, or bytes that are no request.
    ///
    /// - Parameters:
    ///   - failure: why nothing is sent.
    ///   - code: the status code; `nil` where the failure settles it.
    func refuse(_ failure: ExchangeFailure, code: Int?) {
        answerCode = code
        persists = false
        tell(.refused(failure))
    }

    /// Answers a request once everything that came of it is read: a whole request leaves its connection usable.
    func refuseLate(_ failure: ExchangeFailure) {
        loop.loop.assumeIsolated().execute { [self] in tell(.refused(failure)) }
    }

    /// Answers bytes that broke the rules, in place of a request or in the midst of it.
    func refuse(_ malformed: MalformedMessage) {
        // Other codes refuse requests that broke no rule.
        if client.version == .http2, malformed.problem.code == 400 { breachCode = .protocolError }
        let failure = clientFailure(.request, malformed.problem.cause, malformed.problem.message)
        refuse(failure, code: malformed.problem.code)
    }
}
