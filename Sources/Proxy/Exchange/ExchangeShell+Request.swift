import NIOCore
import NIOHTTP2
import Traffic

/// What comes from the client's end once an exchange has begun.
extension ExchangeShell {
    /// Whether more of the request can be taken now.
    var takesRequest: Bool { machine.takesRequest && upstream?.isWritable != false }

    /// The next bytes of the request's content came.
    func clientSent(_ bytes: ByteBuffer) {
        guard !machine.isHeld else { return }
        // What a client sends on a WebSocket that the upstream has ended does not prolong it.
        if !isWebSocket || !machine.isEarly { marks.active = loop.now }
        tap.body(.request, bytes, loop.lane)
        tell(.requestBody(bytes))
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
        tap.exchange.request.trailers = trailers
        noteReplaced(trailers, subject.head.version, .request)
        tell(.requestEnd(trailersPart(trailers, of: subject.head.fields, .request)))
    }

    /// The client sends nothing more, whatever it had begun.
    func clientStopped() {
        guard !machine.isRequestEnded else { return }
        let message = "The client closed the connection before its request was complete."
        tell(.clientGone(clientFailure(.request, .closed, message)))
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
    ///   - own: the code, where it was this end.
    func clientReset(_ code: HTTP2ErrorCode, own: HTTP2ErrorCode?) {
        // The upstream has done nothing wrong where the client has.
        resetCode = own == nil ? code : .cancel
        let why =
            own.map { "The client broke the rules of HTTP/2 on the stream, which was reset (\($0.name))." }
            ?? "The client reset the stream (\(code.name))."
        tell(.clientGone(clientFailure(.deliver, .reset, why)))
    }

    /// There is room for more at the client's end.
    func clientTakesMore() { upstream?.resumeRead() }

    // MARK: Refusals

    /// Answers what is not to be sent, or is no request.
    ///
    /// - Parameters:
    ///   - failure: why.
    ///   - code: the status code, where the failure does not say.
    func refuse(_ failure: ExchangeFailure, code: Int?) {
        answerCode = code
        persists = false
        tell(.refused(failure))
    }

    /// Answers a request once what has come of it is read: the connection of a whole one can be used again.
    func refuseLate(_ failure: ExchangeFailure) {
        loop.loop.assumeIsolated().execute { [self] in tell(.refused(failure)) }
    }

    /// Answers bytes that broke the rules, in the place of a request or in the midst of one.
    func refuse(_ malformed: MalformedMessage) {
        // Other codes are for requests that are right, and not taken.
        if client.version == .http2, malformed.problem.code == 400 { breachCode = .protocolError }
        let failure = clientFailure(.request, malformed.problem.cause, malformed.problem.message)
        refuse(failure, code: malformed.problem.code)
    }
}
