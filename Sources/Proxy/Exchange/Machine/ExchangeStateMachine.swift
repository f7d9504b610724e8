import NIOCore
import Traffic

/// The life of one exchange as pure rules: facts in, effects out.
///
/// It knows no channel, clock or store.
///
/// Two rules run through it. The last part of a response is withheld until the record is committed, so whatever a client saw the end of is
/// in the store. And an exchange is recorded exactly once, however it ends.
struct ExchangeStateMachine {
    private var request = Request.none
    private var response = Response.awaited
    private var hasUpstream = false
    private var isReused = false
    /// Whether content or trailers went upstream.
    private var hasSentBody = false
    /// What of it is kept for a second try.
    private var sent = SentContent(limitBytes: 0)
    private var isRequestWhole = false
    private var interimCount = 0
    /// Whether sending the request twice means the same as once (RFC 9110 §9.2.2).
    private let isIdempotent: Bool
    private let interimLimitCount: Int
    /// Whether the client's side is a stream of HTTP/2: it can be told that the upstream reset its own, and has not ended before it is told so.
    private let isStream: Bool
    /// Whether the client asks before it sends its body, and so does not send it after a final response (RFC 9110 §10.1.1).
    private let asksFirst: Bool
    /// Whether content of the request came.
    private var hasContent = false
    /// Whether the request was sent again, which is done once whatever came of it (RFC 9110 §9.2.2).
    private var isSecondTry = false
    /// Bytes of content that are still to come by the response's head, where a client of HTTP/1 takes them for the whole; `nil` where it does not.
    private var leftBytes: Int64?

    init(method: String, interimLimitCount: Int, isStream: Bool = false, asksFirst: Bool = false) {
        self.isStream = isStream
        self.asksFirst = asksFirst
        isIdempotent = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"].contains(method)
        self.interimLimitCount = interimLimitCount
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

    /// Whether the client will be given the proxy's own answer.
    var endsWithAnswer: Bool { if case .held(.answer) = response { true } else { false } }

    /// Whether nothing more can happen.
    var isOver: Bool { if case .over = response { true } else { false } }

    /// Whether the response is complete and the request is not.
    var isEarly: Bool { if case .early = response { true } else { isAnswered } }

    /// Whether the client has the whole response while its request goes on.
    var isAnswered: Bool { if case .answered = response { true } else { false } }

    /// Whether all content of the response is there, and only the word that this was all is missing.
    var lacksEnd: Bool { if case .flowing = response { leftBytes == 0 } else { false } }

    /// Whether a client that waits to be asked for its body can be told a final response in the place of that.
    var refusesBody: Bool { asksFirst && !hasContent && interimCount == 0 && !isRequestWhole }

    /// Whether bytes of the request's content may still be on their way to an upstream that waits for them.
    var mayBeSending: Bool { hasContent && (!isRequestWhole || isAwaitingResponse) }

    /// Whether no final response has begun.
    var isAwaitingResponse: Bool { if case .awaited = response { true } else { false } }

    mutating func handle(_ fact: Fact, _ effects: inout [Effect]) {
        switch fact {
        case .request:
            request = .waiting([])
            effects.append(.connect(isFresh: false))
        case .requestBody, .requestEnd: requestPart(fact, &effects)
        case .refused(let failure): endWithAnswer(failure, &effects)
        case .upstreamReady(let isReused, let isOnStream): upstreamReady(isReused, isOnStream, &effects)
        case .upstreamUnavailable(let failure): endWithAnswer(failure, &effects)
        case .interim(let head): interim(head, &effects)
        case .switched: switched(&effects)
        case .response, .responseBody: responsePart(fact, &effects)
        case .responseEnd(let trailers): responseEnd(trailers, &effects)
        case .responsePaused: deliverWithheld(&effects)
        case .responseRecorded: deliverEarly(&effects)
        case .lastWordOverdue: if lacksEnd { responseEnd(nil, &effects) } else if isEarly { endEarly(nil, &effects) }
        case .upstreamBroken(let failure): upstreamBroken(failure, &effects)
        case .upstreamReset(let failure): upstreamBroken(failure, isReset: true, &effects)
        case .clientGone(let failure): clientGone(failure, &effects)
        case .recorded: recorded(&effects)
        }
    }

    // MARK: The client's half

    private mutating func requestPart(_ fact: Fact, _ effects: inout [Effect]) {
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
            effects.append(.sendEnd(trailers))
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
        // Only of a stream is it ever known that nothing was done with what was sent.
        sent = SentContent(limitBytes: isOnStream && !isSecondTry ? SentContent.streamLimitBytes : 0)
        request = .flowing
        effects.append(.sendHead)
        for part in parts { forward(part, &effects) }
        effects.append(.flushUpstream)
    }

    // MARK: The upstream's half

    private mutating func interim(_ head: ResponseHead, _ effects: inout [Effect]) {
        guard case .awaited = response else { return }
        interimCount += 1
        guard interimCount <= interimLimitCount else {
            upstreamBroken(
                ExchangeFailure(
                    side: .upstream,
                    phase: .wait,
                    cause: .interimFlood,
                    message: "The upstream sent more than \(interimLimitCount) interim responses."
                ),
                &effects
            )
            return
        }
        effects.append(.deliverInterim(head))
    }

    private mutating func responsePart(_ fact: Fact, _ effects: inout [Effect]) {
        count(fact)
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

    /// Counts down to the end that a client of HTTP/1 sees by itself.
    private mutating func count(_ fact: Fact) {
        guard !isStream else { return }
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

    private mutating func switched(_ effects: inout [Effect]) {
        guard hasUpstream, case .awaited = response, case .ended = request else { return }
        // The request goes on, and cannot be sent a second time any more.
        hasSentBody = true
        sent.forget()
        isRequestWhole = false
        request = .flowing
        response = .flowing(withheld: nil)
        effects += [.deliverHead, .flushClient]
    }

    private mutating func deliverWithheld(_ effects: inout [Effect]) {
        guard case .flowing(let withheld) = response else { return }
        // With the last of its content a client of HTTP/1 would have the whole response before that is recorded.
        if let withheld, !lacksEnd {
            deliver(withheld, &effects)
            response = .flowing(withheld: nil)
        }
        effects.append(.flushClient)
    }

    private func deliver(_ fact: Fact, _ effects: inout [Effect]) {
        switch fact {
        case .response: effects.append(.deliverHead)
        case .responseBody(let bytes): effects.append(.deliverBody(bytes))
        default: break
        }
    }

    private mutating func responseEnd(_ trailers: ByteBuffer?, _ effects: inout [Effect]) {
        guard case .flowing(let withheld) = response else { return }
        guard !isRequestWhole else { return complete(.whole(withheld: withheld, trailers: trailers), &effects) }
        response = .early(withheld: withheld, trailers: trailers)
        // There is no rest to wait for, or it may take long.
        if refusesBody { endEarly(nil, &effects) } else { effects.append(.recordResponse) }
    }

    /// The record has the response: the client has it too, before its request ends.
    private mutating func deliverEarly(_ effects: inout [Effect]) {
        guard case .early(let withheld, let trailers) = response else { return }
        if let withheld { deliver(withheld, &effects) }
        effects += [.deliverEnd(trailers), .flushClient]
        response = .answered
    }

    private mutating func complete(_ ending: Ending, _ effects: inout [Effect]) {
        effects.append(.releaseUpstream)
        hasUpstream = false
        request = .ended
        response = .held(ending)
        effects.append(.record(.completed, nil))
    }

    /// The response stands, and neither connection can be used again: the rest of the request is not to be had or not wanted, or was cut by a failure.
    private mutating func endEarly(_ failure: ExchangeFailure?, _ effects: inout [Effect]) {
        let ending: Ending
        switch response {
        case .early(let withheld, let trailers): ending = .whole(withheld: withheld, trailers: trailers)
        case .answered: ending = .answered
        case .awaited, .flowing, .held, .over: return
        }
        drop(&effects)
        request = .ended
        response = .held(ending)
        effects.append(.record(failure == nil ? .completed : .failed, failure))
    }

    private mutating func upstreamBroken(
        _ failure: ExchangeFailure,
        isReset: Bool = false,
        _ effects: inout [Effect]
    ) {
        guard hasUpstream else { return }
        switch response {
        case .awaited:
            // Of a stream that was reset the upstream has seen the request (RFC 9113 §8.7); a kept connection it may have left before that came.
            let isRepeatable = isReset ? failure.retry : isReused && isIdempotent && failure.cause.isBreak
            let again = isReset ? sent.facts : isRequestWhole && !hasSentBody ? [] : nil
            if isRepeatable, !isSecondTry, let again, interimCount == 0 {
                isSecondTry = true
                hasUpstream = false
                request = .waiting(again + (isRequestWhole ? [.requestEnd(nil)] : []))
                effects.append(.dropUpstream)
                effects.append(.connect(isFresh: true))
                return
            }
            if isReset, isStream {
                drop(&effects)
                request = .ended
                response = .held(.broken)
                effects.append(.record(.failed, failure))
                return
            }
            endWithAnswer(failure, &effects)
        case .flowing(let withheld):
            if let withheld, !lacksEnd { deliver(withheld, &effects) }
            effects.append(.flushClient)
            drop(&effects)
            response = .held(.broken)
            effects.append(.record(.failed, failure))
        // An upstream that has answered may well not want the rest; that it was given up is another matter.
        case .early, .answered:
            let isGivenUp = failure.side == .proxy || failure.cause == .timeout
            endEarly(isGivenUp ? failure : nil, &effects)
        case .held, .over: break
        }
    }

    // MARK: Endings

    private mutating func endWithAnswer(_ failure: ExchangeFailure, _ effects: inout [Effect]) {
        switch response {
        case .awaited:
            drop(&effects)
            request = .ended
            response = .held(.answer)
            effects.append(.record(.failed, failure))
        case .flowing: clientGone(failure, &effects)
        case .early, .answered: endEarly(failure, &effects)
        case .held, .over: break
        }
    }

    private mutating func clientGone(_ failure: ExchangeFailure, _ effects: inout [Effect]) {
        switch response {
        // It may still read, and what it is to have is there.
        case .early where failure.phase == .request: endEarly(failure, &effects)
        case .awaited, .flowing, .early:
            drop(&effects)
            request = .ended
            response = .held(failure.side == .client && failure.phase != .request ? .silent : .broken)
            effects.append(.record(.failed, failure))
        // It has what it asked for, and may well keep the rest.
        case .answered: endEarly(failure.cause.isDeparture ? nil : failure, &effects)
        case .held, .over: break
        }
    }

    private mutating func drop(_ effects: inout [Effect]) {
        if hasUpstream { effects.append(.dropUpstream) }
        hasUpstream = false
    }

    private mutating func recorded(_ effects: inout [Effect]) {
        guard case .held(let ending) = response else { return }
        response = .over
        switch ending {
        case .whole(let withheld, let trailers):
            if let withheld { deliver(withheld, &effects) }
            effects += [.deliverEnd(trailers), .finish(isWhole: isRequestWhole)]
        case .answered: effects.append(.finish(isWhole: isRequestWhole))
        case .answer: effects += [.deliverAnswer, .finish(isWhole: isRequestWhole)]
        case .broken: effects.append(.breakClient)
        case .silent: effects.append(.finish(isWhole: false))
        }
    }
}
