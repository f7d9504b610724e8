import NIOCore
import Traffic

/// What becomes of an exchange as time passes, and when the proxy stops.
extension ExchangeStateMachine {
    /// Whether the client's close frame is all that is missing of a WebSocket.
    var awaitsClientsLastWord: Bool { webSocket != nil && isEarly }

    /// What follows from a wait that has lasted too long.
    mutating func handle(_ deadline: Deadline, _ effects: inout [Effect]) {
        switch deadline {
        case .hold:
            if keepsWaiting { effects.append(.noteLate) }
            recorded(&effects)
        case .responseHold:
            guard isEarly, !isAnswered else { return }
            effects.append(.noteLate)
            deliverEarly(&effects)
        case .lastWord: if lacksEnd { endUnsaid(&effects) } else { endEarly(nil, &effects) }
        case .unread(let limit):
            guard !isHeld, !isOver else { return }
            let message = "The client took nothing more of the response for \(limit.text)."
            clientGone(.ofClient(.deliver, .timeout, message), &effects)
            effects.append(.cutOffClient)
        case .silence(let limit, let since):
            guard !isHeld, !isOver else { return }
            // No other exchange is to wait there as long.
            effects.append(.reportSilence(since: since))
            upstreamOver(.ofUpstream(upstream, waitPhase, .timeout, "sent nothing for \(limit.text)"), &effects)
        case .untaken(let limit):
            // The stream's window may be shut, which says nothing of the connection.
            let message = "took nothing more of the request for \(limit.text)"
            upstreamOver(.ofUpstream(upstream, waitPhase, .timeout, message), &effects)
        case .stalled: clientGone(.ofClient(.request, .timeout, "The client stopped sending its request."), &effects)
        case .rest: leave(&effects)
        case .cut: cut(&effects)
        }
    }

    /// Ends an exchange in the midst: with an answer of our own, or so that the client sees that its response is not whole.
    mutating func giveUp(_ failure: ExchangeFailure, _ effects: inout [Effect]) {
        if isAwaitingResponse { endWithAnswer(failure, &effects) } else { upstreamBroken(failure, &effects) }
    }

    /// Ends it now: the proxy stops, and has waited long enough.
    private mutating func cut(_ effects: inout [Effect]) {
        let phase: ExchangeFailure.Phase = !isAwaitingResponse ? .receive : isRequestEnded ? .wait : .request
        let message = "The proxy was stopped, and this had not ended when it had waited long enough."
        giveUp(ExchangeFailure(side: .proxy, phase: phase, cause: .shutdown, message: message), &effects)
    }

    /// Ends an exchange whose response goes on: nobody has broken it, and nothing says that it was whole where the protocol can tell.
    private mutating func leave(_ effects: inout [Effect]) {
        guard hasUpstream, !lacksEnd, case .flowing(let withheld) = response else { return }
        if let withheld { deliver(withheld, &effects) }
        effects += [.flushClient, .leaveUpstream]
        hasUpstream = false
        response = .held(.left)
        let message = "The proxy was stopped, and ended the \(webSocket == nil ? "event stream" : "WebSocket")."
        record(ExchangeFailure(side: .proxy, phase: .receive, cause: .shutdown, message: message), &effects)
    }
}
