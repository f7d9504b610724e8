import NIOCore
import Traffic

/// What an exchange's deadlines lead to.
extension ExchangeStateMachine {
    /// Whether the client's close frame is all that is missing of a WebSocket.
    var awaitsClientsLastWord: Bool { webSocket != nil && isEarly }

    /// Whether the end of its connection is all that is missing of a WebSocket that the upstream has closed and the client has ended.
    var lacksUpstreamsEnd: Bool { webSocket?.frames.isResponseClosed == true && isRequestWhole }

    /// A wait has lasted too long.
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
            effects.append(.reportSilence(since: since))
            upstreamOver(.ofUpstream(upstream, waitPhase, .timeout, "sent nothing for \(limit.text)"), &effects)
        case .untaken(let limit):
            // A stream's window may be shut, which says nothing of its connection.
            let message = "took nothing more of the request for \(limit.text)"
            upstreamOver(.ofUpstream(upstream, waitPhase, .timeout, message), &effects)
        case .stalled: clientGone(.ofClient(.request, .timeout, "The client stopped sending its request."), &effects)
        case .rest: leave(&effects)
        case .cut: cut(&effects)
        }
    }

    /// Ends an exchange in the midst: with an answer of our own, or with a break that the client sees.
    mutating func giveUp(_ failure: ExchangeFailure, _ effects: inout [Effect]) {
        if isAwaitingResponse { endWithAnswer(failure, &effects) } else { upstreamBroken(failure, &effects) }
    }

    /// Ends an exchange that a stopping proxy has waited for long enough.
    private mutating func cut(_ effects: inout [Effect]) {
        let phase: ExchangeFailure.Phase = !isAwaitingResponse ? .receive : isRequestEnded ? .wait : .request
        let message = "The proxy was stopped, and this had not ended when it had waited long enough."
        giveUp(ExchangeFailure(side: .proxy, phase: phase, cause: .shutdown, message: message), &effects)
    }

    /// Ends a response that goes on, without a break and without an end where the protocol has one: nobody may take it for whole.
    ///
    /// A WebSocket that lacks nothing but the end of its upstream's connection is complete instead.
    private mutating func leave(_ effects: inout [Effect]) {
        guard hasUpstream, !lacksEnd, case .flowing(let withheld) = response else { return }
        // Both sides have said all they had to say.
        guard !lacksUpstreamsEnd else { return endWebSocketResponse(&effects) }
        if let withheld { deliver(withheld, &effects) }
        effects += [.flushClient, .leaveUpstream]
        hasUpstream = false
        response = .held(.left)
        let message = "The proxy was stopped, and ended the \(webSocket == nil ? "event stream" : "WebSocket")."
        record(ExchangeFailure(side: .proxy, phase: .receive, cause: .shutdown, message: message), &effects)
    }
}
