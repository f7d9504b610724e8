import Traffic

/// How an exchange comes to its end, and what its client has then.
extension ExchangeStateMachine {
    mutating func complete(_ ending: Ending, _ effects: inout [Effect]) {
        effects.append(.releaseUpstream)
        hasUpstream = false
        request = .ended
        response = .held(ending)
        record(nil, &effects)
    }

    /// The response stands, and neither connection can be used again: the rest of the request is not to be had or not wanted, or was cut by a failure.
    mutating func endEarly(_ failure: ExchangeFailure?, _ effects: inout [Effect]) {
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
        record(failure, &effects)
    }

    /// Takes a response whose content is whole for ended, though its upstream has not ended the stream.
    mutating func endUnsaid(_ effects: inout [Effect]) {
        guard lacksEnd else { return }
        effects.append(.noteUnsaidEnd)
        responseEnd(nil, &effects)
    }

    /// The upstream's connection is over, or nothing more is waited for on it.
    mutating func upstreamOver(_ failure: ExchangeFailure, _ effects: inout [Effect]) {
        // A WebSocket that the upstream has ended waits for the client's last word.
        if let webSocket, webSocket.hasUpstreamEnded || endIfClosed(&effects) { return }
        endUnsaid(&effects)
        upstreamBroken(failure, &effects)
    }

    mutating func upstreamBroken(
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
        // An upstream that has answered may well not want the rest; that it was given up is another matter.
        case .early, .answered:
            let isGivenUp = failure.side == .proxy || failure.cause == .timeout
            endEarly(isGivenUp ? failure : nil, &effects)
        case .held, .over: break
        }
    }

    // MARK: Endings

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

    mutating func clientGone(_ failure: ExchangeFailure, _ effects: inout [Effect]) {
        switch response {
        // It may still read, and what it is to have is there.
        case .early where failure.phase == .request: endEarly(failure, &effects)
        case .awaited, .flowing, .early:
            drop(&effects)
            request = .ended
            response = .held(failure.side == .client && failure.phase != .request ? .silent : .broken)
            record(failure, &effects)
        // It has what it asked for, and may well keep the rest.
        case .answered: endEarly(failure.cause.isDeparture ? nil : failure, &effects)
        case .held, .over: break
        }
    }

    /// Hands the record over: of an exchange that failed, or of one that ended as it should, unless that was a WebSocket nobody has closed.
    func record(_ failure: ExchangeFailure?, _ effects: inout [Effect]) {
        let failure = failure ?? unclosed
        effects.append(.record(failure == nil ? .completed : .failed, failure))
    }

    mutating func drop(_ effects: inout [Effect]) {
        if hasUpstream { effects.append(.dropUpstream) }
        hasUpstream = false
    }

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
