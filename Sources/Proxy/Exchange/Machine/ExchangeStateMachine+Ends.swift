import Traffic

/// How an exchange comes to its end, and what its client has then.
extension ExchangeStateMachine {
    /// Request and response are complete.
    mutating func complete(_ ending: Ending, _ effects: inout [Effect]) {
        effects.append(.releaseUpstream)
        hasUpstream = false
        request = .ended
        response = .held(ending)
        record(nil, &effects)
    }

    /// The response is complete and its request ends early, since nobody wants the rest of the request or a failure cut it.
    ///
    /// Neither connection can be used again.
    ///
    /// - Parameters:
    ///   - failure: what cut the request off; `nil` where nobody wants the rest of it.
    ///   - isCancelled: whether its client has left.
    ///   - effects: what follows.
    mutating func endEarly(_ failure: ExchangeFailure?, isCancelled: Bool = false, _ effects: inout [Effect]) {
        let ending: Ending
        switch response {
        case .early(let withheld, let trailers): ending = .whole(withheld: withheld, trailers: trailers)
        case .answered: ending = .answered
        case .awaited, .flowing, .held, .over: return
        }
        drop(&effects)
        request = .ended
        response = .held(ending)
        if failure == nil, webSocket == nil { effects.append(.noteUnreadRest) }
        record(failure, isCancelled: isCancelled, &effects)
    }

    /// Takes a response whose content is whole for complete, though the upstream has not ended its stream.
    mutating func endUnsaid(_ effects: inout [Effect]) {
        guard lacksEnd else { return }
        effects.append(.noteUnsaidEnd)
        responseEnd(nil, &effects)
    }

    /// The upstream's connection is over, or the exchange waits for it no longer.
    mutating func upstreamOver(
        _ failure: ExchangeFailure,
        isWithinHead: Bool = false,
        isWithinMessage: Bool = false,
        _ effects: inout [Effect]
    ) {
        // A WebSocket that the upstream has ended waits for the client's last word.
        if let webSocket, webSocket.hasUpstreamEnded || endIfClosed(&effects) { return }
        // An end that has said so, or heard it, often breaks its connection at once; of a message the client cannot have the rest.
        if failure.cause.isBreak, !isWithinMessage, endIfClosing(noting: failure, &effects) { return }
        endUnsaid(&effects)
        upstreamBroken(failure, isWithinHead: isWithinHead, &effects)
    }

    /// The upstream cannot go on: the request is sent again, or the exchange ends.
    mutating func upstreamBroken(
        _ failure: ExchangeFailure,
        isReset: Bool = false,
        isWithinHead: Bool = false,
        _ effects: inout [Effect]
    ) {
        guard hasUpstream else { return }
        switch response {
        case .awaited:
            // An upstream that resets a stream has seen the request (RFC 9113 §8.7); a kept connection may have ended before the request came.
            let isRepeatable = isReset ? failure.retry : isReused && isIdempotent && failure.cause.isBreak
            let again = isReset ? sent.facts : isRequestWhole && !hasSentBody ? [] : nil
            // The first byte of a response tells that the upstream has had the request.
            let isUnanswered = interimCount == 0 && !isWithinHead
            if isRepeatable, !isSecondTry, let again, isUnanswered {
                isSecondTry = true
                hasUpstream = false
                request = .waiting(again + (isRequestWhole ? [.requestEnd(nil)] : []))
                effects.append(.dropUpstream)
                effects.append(.connect(.afresh))
                return
            }
            if isReset, isStream {
                drop(&effects)
                request = .ended
                response = .held(.broken)
                record(failure, &effects)
                return
            }
            endWithAnswer(failure, &effects)
        case .flowing(let withheld):
            if let withheld, !lacksEnd { deliver(withheld, &effects) }
            effects.append(.flushClient)
            drop(&effects)
            response = .held(.broken)
            record(failure, &effects)
        // An upstream that has answered need not want the rest of the request; an exchange that was given up has failed all the same.
        case .early, .answered:
            let isGivenUp = failure.side == .proxy || failure.cause == .timeout
            endEarly(isGivenUp ? failure : nil, &effects)
        case .held, .over: break
        }
    }

    // MARK: Endings

    /// Answers in the upstream's place; a response that has begun is broken off.
    mutating func endWithAnswer(_ failure: ExchangeFailure, _ effects: inout [Effect]) {
        switch response {
        case .awaited:
            drop(&effects)
            request = .ended
            response = .held(.answer)
            record(failure, &effects)
        case .flowing: clientGone(failure, &effects)
        case .early, .answered: endEarly(failure, &effects)
        case .held, .over: break
        }
    }

    /// The request is refused without an answer or broken off on its way, or its response is broken off in the midst.
    mutating func block(_ failure: ExchangeFailure, isReset: Bool, _ effects: inout [Effect]) {
        switch response {
        case .awaited: break
        case .flowing(let withheld):
            if let withheld { deliver(withheld, &effects) }
            effects.append(.flushClient)
        // The upstream has answered, and must not take what it has of the request for all of it.
        case .early, .answered: return endEarly(failure, &effects)
        case .held, .over: return
        }
        drop(&effects)
        request = .ended
        response = .held(isReset ? .broken : .left)
        record(failure, &effects)
    }

    /// The client is gone, or given up.
    ///
    /// - Parameters:
    ///   - failure: how it went.
    ///   - isLeaving: whether it went away by itself: the exchange is cancelled then, or completed where the client has all that it needs.
    ///   - effects: what follows.
    mutating func clientGone(_ failure: ExchangeFailure, isLeaving: Bool = false, _ effects: inout [Effect]) {
        switch response {
        // The client may still read, and the response is there.
        case .early where failure.phase == .request: endEarly(failure, isCancelled: isLeaving, &effects)
        case .awaited, .flowing, .early:
            let isWhole = isLeaving && hasWhatMatters
            if isWhole, webSocket == nil, !isContentSent { effects.append(.noteUnreadRedirect) }
            drop(&effects)
            request = .ended
            let isGone = isWhole || failure.side == .client && failure.phase != .request
            response = .held(isGone ? .silent : .broken)
            record(isWhole ? nil : failure, isCancelled: isLeaving, &effects)
        // The client has its response, and may keep the rest of its request.
        case .answered: endEarly(failure.cause.isDeparture ? nil : failure, &effects)
        case .held, .over: break
        }
    }

    /// Hands the record over: without a failure the exchange is completed, unless it is a WebSocket that its client has left without a word.
    ///
    /// - Parameters:
    ///   - failure: why it ended early; `nil` where it did not.
    ///   - isCancelled: whether its client ended it so.
    ///   - effects: what follows.
    func record(_ failure: ExchangeFailure?, isCancelled: Bool = false, _ effects: inout [Effect]) {
        var isAnswered: Bool { if case .held(.answer) = response { true } else { false } }
        if let failure {
            return effects.append(.record(isCancelled ? .cancelled : .failed, failure, isAnswered: isAnswered))
        }
        let end = unclosedEnd
        if end?.side == .client { return effects.append(.record(.cancelled, end, isAnswered: false)) }
        if let end { effects.append(.noteUnclosedEnd(end)) }
        effects.append(.record(.completed, nil, isAnswered: isAnswered))
    }

    /// Breaks the upstream off, where there is one.
    mutating func drop(_ effects: inout [Effect]) {
        if hasUpstream { effects.append(.dropUpstream) }
        hasUpstream = false
    }

    /// The record is committed, or is not waited for any longer: the client gets its end.
    mutating func recorded(_ effects: inout [Effect]) {
        guard case .held(let ending) = response else { return }
        response = .over
        switch ending {
        case .whole(let withheld, let trailers):
            if let withheld { deliver(withheld, &effects) }
            effects += [.deliverEnd(trailers), .finish(isWhole: isRequestWhole)]
        case .answered: effects.append(.finish(isWhole: isRequestWhole))
        case .answer: effects += [.deliverAnswer, .finish(isWhole: isRequestWhole)]
        case .broken: effects.append(.breakClient)
        case .left: effects.append(.leaveClient)
        case .silent: effects.append(.finish(isWhole: false))
        }
    }
}
