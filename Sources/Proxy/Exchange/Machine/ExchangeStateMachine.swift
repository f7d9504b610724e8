import NIOCore
import Traffic

/// The life of one exchange as pure rules: facts in, effects out.
///
/// The machine knows no channel, clock or store.
///
/// Two rules run through it. The last part of a response is withheld until the record is committed, so the store has every response whose end a
/// client saw. And an exchange is recorded exactly once, however it ends.
struct ExchangeStateMachine {
    /// The client's half.
    var request = Request.none
    /// The upstream's half.
    var response = Response.awaited
    /// Whether an upstream is there that the exchange has not let go of.
    var hasUpstream = false
    /// Whether the upstream's connection carried an exchange before.
    private(set) var isReused = false
    /// Whether the upstream is a stream of HTTP/2, whose half can be ended though it has ended its own.
    private var isUpstreamStream = false
    /// Whether content or trailers went upstream.
    private(set) var hasSentBody = false
    /// The sent content that is kept for a second try.
    private(set) var sent = SentContent(limitBytes: 0)
    /// How far the WebSocket has come with its end; `nil` where the exchange has become none.
    var webSocket: WebSocketEnds?
    /// Whether the request has been read to its end.
    private(set) var isRequestWhole = false
    /// How many interim responses came.
    private(set) var interimCount = 0
    /// Whether sending the request twice means the same as once (RFC 9110 §9.2.2).
    private(set) var isIdempotent: Bool
    private let interimLimitCount: Int
    /// How many bytes of heads the interim responses may have together.
    private let interimLimitBytes: Int
    /// How many bytes of heads the interim responses had.
    private var interimBytes = 0
    /// Whether the client's side is a stream of HTTP/2: a reset of the upstream's can be passed on, and only an end that is said ends it.
    let isStream: Bool
    /// Where the upstream is, which failures name; `nil` where nothing is to be sent.
    private(set) var upstream: Endpoint?
    /// Whether the client asks before it sends its body, and so does not send it after a final response (RFC 9110 §10.1.1).
    private let asksFirst: Bool
    /// How the request asks for a WebSocket; `nil` where it asks for none.
    private let webSocketRequest: WebSocketRequest?
    /// Whether content of the request came.
    private var hasContent = false
    /// Whether the request was sent again, which is done once whatever came of it (RFC 9110 §9.2.2).
    var isSecondTry = false
    /// Whether an upstream that refused to speak HTTP/1.1 was offered HTTP/2 too, which is done once.
    private var hasOfferedMore = false
    /// Whether the response is a redirect, whose head is all that its client needs (RFC 9110 §15.4).
    private var isRedirect = false
    /// Whether the client's connection has taken all content of a response that has not ended.
    private(set) var isContentSent = false
    /// Bytes of content that the response's head still promises; `nil` where no number is known.
    private var leftBytes: Int64?

    /// - Parameters:
    ///   - method: the request's.
    ///   - upstream: where it goes; `nil` where it is not to be sent.
    ///   - interimLimitCount: how many interim responses may come.
    ///   - interimLimitBytes: how many bytes of heads they may have together.
    ///   - isStream: whether the client's side is a stream of HTTP/2.
    ///   - asksFirst: whether the client asks before it sends its body.
    ///   - webSocketRequest: how it asks for a WebSocket.
    init(
        method: String,
        upstream: Endpoint? = nil,
        interimLimitCount: Int,
        interimLimitBytes: Int,
        isStream: Bool = false,
        asksFirst: Bool = false,
        webSocketRequest: WebSocketRequest? = nil
    ) {
        self.upstream = upstream
        self.isStream = isStream
        self.asksFirst = asksFirst
        self.webSocketRequest = webSocketRequest
        isIdempotent = Self.isIdempotent(method)
        self.interimLimitCount = interimLimitCount
        self.interimLimitBytes = interimLimitBytes
    }

    private static func isIdempotent(_ method: String) -> Bool {
        ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"].contains(method)
    }

    /// Takes note that the request is sent elsewhere, or by another method, than its client said.
    mutating func redirect(to upstream: Endpoint, method: String) {
        self.upstream = upstream
        isIdempotent = Self.isIdempotent(method)
    }

    /// Whether more of the request can be taken now.
    var takesRequest: Bool {
        switch request {
        case .none, .flowing: true
        case .waiting, .ended: false
        }
    }

    /// Whether the request has been read to its end.
    var isRequestEnded: Bool { isRequestWhole }

    /// Whether the record is on its way and the rest waits for it.
    var isHeld: Bool { if case .held = response { true } else { false } }

    /// Whether the client waits for the record, before it has the end.
    var keepsWaiting: Bool {
        switch response {
        case .held(.answered), .held(.silent): false
        default: isHeld
        }
    }

    /// Whether nothing more can happen.
    var isOver: Bool { if case .over = response { true } else { false } }

    /// Whether the response is complete and the request is not.
    var isEarly: Bool { if case .early = response { true } else { isAnswered } }

    /// Whether the client has the whole response while its request goes on.
    var isAnswered: Bool { if case .answered = response { true } else { false } }

    /// Whether all content of the response is there, and the word that this was all is missing.
    var hasAllContent: Bool { if case .flowing = response { leftBytes == 0 } else { false } }

    /// Whether only that word is missing of a response to a client of HTTP/1, for which the content is the whole.
    var lacksEnd: Bool { !isStream && hasAllContent }

    /// Whether a client that leaves now has all that it needs of a whole request.
    ///
    /// That is the content which the head promised, the head of a redirect, or a WebSocket that it has closed itself. A client of HTTP/1 is not
    /// sent the last of the content before the end.
    var hasWhatMatters: Bool {
        if let webSocket { return !isAwaitingResponse && webSocket.frames.isRequestClosed }
        guard isRequestWhole, case .flowing(let withheld) = response else { return false }
        if case .response = withheld { return false }
        return isContentSent || isRedirect
    }

    /// Whether a client that waits to be asked for its body can be told a final response in the place of that.
    var refusesBody: Bool { asksFirst && !hasContent && interimCount == 0 && !isRequestWhole }

    /// Whether bytes of the request's content may still be on their way to an upstream that waits for them.
    var mayBeSending: Bool { hasContent && webSocket == nil && (!isRequestWhole || isAwaitingResponse) }

    /// Whether no final response has begun.
    var isAwaitingResponse: Bool { if case .awaited = response { true } else { false } }

    /// What a failure of the upstream's side interrupts.
    var waitPhase: ExchangeFailure.Phase { isAwaitingResponse ? .wait : .receive }

    /// Whether a final response opens the WebSocket that the request asks for: by a switch of protocols, or by success on a stream (RFC 8441 §5).
    func opensWebSocket(_ head: ResponseHead) -> Bool {
        guard let webSocketRequest else { return false }
        return isUpstreamStream ? (200..<300).contains(head.code) : webSocketRequest == .upgrade && head.opensWebSocket
    }

    mutating func handle(_ fact: Fact, _ effects: inout [Effect]) {
        switch fact {
        case .request:
            request = .waiting([])
            effects.append(.connect(.first))
        // What comes behind a close frame that the proxy has sent is not passed on.
        case .requestBody: if webSocket?.closed == nil { requestPart(fact, &effects) }
        case .requestEnd: if webSocket == nil { requestPart(fact, &effects) } else { endWebSocketRequest(&effects) }
        case .refused(let failure): endWithAnswer(failure, &effects)
        case .upstreamReady(let isReused, let isOnStream): upstreamReady(isReused, isOnStream, &effects)
        case .upstreamOutdated: if case .waiting = request { effects.append(.connect(.anew)) }
        case .upstreamUnavailable(let failure, let offersLess): upstreamUnavailable(failure, offersLess, &effects)
        case .interim(let head): interim(head, &effects)
        case .switched(let head): switched(head, &effects)
        case .frames(let frames): take(frames, &effects)
        case .response(let head):
            if opensWebSocket(head), isAwaitingResponse { webSocket = WebSocketEnds() }
            responsePart(fact, &effects)
        case .responseBody: if webSocket?.closed == nil { responsePart(fact, &effects) }
        case .responseEnd(let trailers):
            if webSocket == nil { responseEnd(trailers, &effects) } else { endWebSocketResponse(&effects) }
        case .responsePaused: deliverWithheld(&effects)
        case .contentSent: if hasAllContent { isContentSent = true }
        case .responseRecorded: deliverEarly(&effects)
        case .upstreamOver(let failure, let isWithinHead, let isWithinMessage):
            upstreamOver(failure, isWithinHead: isWithinHead, isWithinMessage: isWithinMessage, &effects)
        case .upstreamBroken(let failure): upstreamBroken(failure, &effects)
        case .upstreamReset(let failure, let isCut):
            if endIfClosed(&effects) || !isCut && endIfClosing(noting: failure, &effects) { return }
            endUnsaid(&effects)
            upstreamBroken(failure, isReset: true, &effects)
        case .blocked(let failure, let isReset): block(failure, isReset: isReset, &effects)
        case .clientOver(let failure):
            // A connection that this end closes over a breach of the rules is not one that the client has left.
            let isLeaving = failure.side == .client && failure.cause.isDeparture
            if !endIfClosed(&effects) { clientGone(failure, isLeaving: isLeaving, &effects) }
        case .clientCancelled(let failure): clientGone(failure, isLeaving: true, &effects)
        case .clientGone(let failure): clientGone(failure, &effects)
        case .stopping(let goingAway, let now): closeWebSocket(goingAway, now, &effects)
        case .recorded: recorded(&effects)
        case .givenUp(let failure): giveUp(failure, &effects)
        case .deadline(let deadline): handle(deadline, &effects)
        }
    }

    // MARK: The client's half

    mutating func requestPart(_ fact: Fact, _ effects: inout [Effect]) {
        if case .requestEnd = fact { isRequestWhole = true } else { hasContent = true }
        switch request {
        case .waiting(var parts):
            // The only reference to them, so that none is copied for the next.
            request = .none
            parts.append(fact)
            request = .waiting(parts)
        case .flowing: forward(fact, &effects)
        case .none, .ended: break
        }
        guard isRequestWhole else { return }
        switch response {
        case .early(let withheld, let trailers): complete(.whole(withheld: withheld, trailers: trailers), &effects)
        case .answered: complete(.answered, &effects)
        case .awaited, .flowing, .held, .over: break
        }
    }

    private mutating func forward(_ fact: Fact, _ effects: inout [Effect]) {
        switch fact {
        case .requestBody(let bytes):
            hasSentBody = true
            sent.take(bytes)
            effects.append(.send(bytes))
        case .requestEnd(let trailers):
            if trailers != nil {
                hasSentBody = true
                sent.forget()
            }
            if let webSocket {
                // A connection of HTTP/1.1 whose upstream has ended its half ends with its release.
                if !webSocket.hasUpstreamEnded || isUpstreamStream { effects.append(.endOutput) }
            } else {
                effects.append(.sendEnd(trailers))
            }
            request = .ended
        default: break
        }
    }

    private mutating func upstreamReady(_ isReused: Bool, _ isOnStream: Bool, _ effects: inout [Effect]) {
        guard case .waiting(let parts) = request else {
            effects.append(.releaseUpstream)
            return
        }
        hasUpstream = true
        self.isReused = isReused
        isUpstreamStream = isOnStream
        // Only the upstream of a stream can say that it did nothing with what was sent.
        sent = SentContent(limitBytes: isOnStream && !isSecondTry ? SentContent.streamLimitBytes : 0)
        request = .flowing
        effects.append(.sendHead)
        for part in parts { forward(part, &effects) }
        effects.append(.flushUpstream)
    }

    private mutating func upstreamUnavailable(
        _ failure: ExchangeFailure,
        _ offersLess: Bool,
        _ effects: inout [Effect]
    ) {
        if offersLess, !hasOfferedMore, failure.cause == .upstreamNoApplicationProtocol, case .waiting = request {
            hasOfferedMore = true
            effects.append(.connect(.offeringMore(isAgain: isSecondTry)))
        } else {
            endWithAnswer(failure, &effects)
        }
    }

    // MARK: The upstream's half

    private mutating func interim(_ head: ResponseHead, _ effects: inout [Effect]) {
        guard case .awaited = response else { return }
        interimCount += 1
        interimBytes += head.raw.readableBytes
        let limit: String? =
            interimCount > interimLimitCount
            ? "\(interimLimitCount) interim responses"
            : interimBytes > interimLimitBytes ? "\(interimLimitBytes) bytes of interim responses" : nil
        guard let limit else { return effects.append(.deliverInterim(head)) }
        let message = "The upstream sent more than \(limit)."
        upstreamBroken(
            ExchangeFailure(side: .upstream, phase: .wait, cause: .interimFlood, message: message),
            &effects
        )
    }

    mutating func responsePart(_ fact: Fact, _ effects: inout [Effect]) {
        count(fact)
        if case .response(let head) = fact { isRedirect = [301, 302, 303, 307, 308].contains(head.code) }
        switch response {
        case .awaited:
            response = .flowing(withheld: fact)
            sent.forget()
        case .flowing(let withheld):
            if let withheld { deliver(withheld, &effects) }
            response = .flowing(withheld: fact)
        case .early, .answered, .held, .over: break
        }
    }

    /// Counts down to the end of the content.
    private mutating func count(_ fact: Fact) {
        switch fact {
        case .response(let head):
            switch head.framing {
            case .none: leftBytes = 0
            case .length(let length): leftBytes = length
            case .chunked, .untilClose: leftBytes = nil
            }
        case .responseBody(let bytes): leftBytes = leftBytes.map { max(0, $0 - Int64(bytes.readableBytes)) }
        default: break
        }
    }

    private mutating func switched(_ head: ResponseHead, _ effects: inout [Effect]) {
        guard hasUpstream, case .awaited = response else { return }
        guard opensWebSocket(head) else {
            let message = "switched protocols without being asked to"
            return upstreamBroken(.ofUpstream(upstream, .wait, .wrongProtocol, message), &effects)
        }
        guard case .ended = request else { return }
        webSocket = WebSocketEnds()
        // The request goes on, and cannot be sent a second time any more.
        hasSentBody = true
        sent.forget()
        isRequestWhole = false
        request = .flowing
        response = .flowing(withheld: nil)
        effects += [.deliverHead, .flushClient]
    }

    mutating func deliverWithheld(_ effects: inout [Effect]) {
        guard case .flowing(let withheld) = response else { return }
        // With the last of its content a client of HTTP/1 would have the whole response before that is recorded.
        if let withheld, !lacksEnd {
            deliver(withheld, &effects)
            response = .flowing(withheld: nil)
        }
        effects.append(.flushClient)
    }

    /// Delivers a part that was withheld.
    func deliver(_ fact: Fact, _ effects: inout [Effect]) {
        switch fact {
        case .response: effects.append(.deliverHead)
        case .responseBody(let bytes): effects.append(.deliverBody(bytes))
        default: break
        }
    }

    mutating func responseEnd(_ trailers: ByteBuffer?, _ effects: inout [Effect]) {
        guard case .flowing(let withheld) = response else { return }
        guard !isRequestWhole else { return complete(.whole(withheld: withheld, trailers: trailers), &effects) }
        response = .early(withheld: withheld, trailers: trailers)
        // The client keeps the rest of its request, or it may take long to come.
        if refusesBody {
            endEarly(nil, &effects)
        } else if webSocket == nil {
            // A WebSocket that one side has ended has nothing left to deliver.
            effects.append(.recordResponse)
        }
    }

    /// The record has the response: the client has it too, before its request ends.
    mutating func deliverEarly(_ effects: inout [Effect]) {
        guard case .early(let withheld, let trailers) = response else { return }
        if let withheld { deliver(withheld, &effects) }
        effects += [.deliverEnd(trailers), .flushClient]
        response = .answered
    }
}
