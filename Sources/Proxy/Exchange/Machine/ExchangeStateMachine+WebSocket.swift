import NIOCore
import Traffic

/// How a WebSocket comes to its end: both sides close it, one of them ends it, or the proxy stops.
extension ExchangeStateMachine {
    /// The client's half ended, and with it a WebSocket that both have closed; on a stream the upstream still ends its own half.
    mutating func endWebSocketRequest(_ effects: inout [Effect]) {
        guard !isRequestWhole else { return }
        webSocket?.ended(.request)
        if !isStream, endIfClosed(&effects) { return }
        requestPart(.requestEnd(nil), &effects)
    }

    /// The upstream's half ended; the exchange waits a moment for the client's answer to its close frame, so that the record has it.
    mutating func endWebSocketResponse(_ effects: inout [Effect]) {
        guard var ends = webSocket else { return }
        ends.ended(.response)
        webSocket = ends
        deliverWithheld(&effects)
        if !ends.frames.isResponseClosed || ends.frames.isRequestClosed { endClientHalf(&effects) }
        responseEnd(nil, &effects)
    }

    /// Frames came, which may hold the last word that the exchange waits for.
    mutating func take(_ frames: WebSocketFrames, _ effects: inout [Effect]) {
        webSocket?.frames = frames
        if webSocket?.closed != nil, endIfClosed(&effects) { return }
        if isEarly, frames.isRequestClosed { endClientHalf(&effects) }
    }

    /// Completes a WebSocket that both sides have closed, however its connections end; false when they have not.
    mutating func endIfClosed(_ effects: inout [Effect]) -> Bool {
        guard let frames = webSocket?.frames, frames.isRequestClosed, frames.isResponseClosed else { return false }
        return endIfClosing(&effects)
    }

    /// Completes a WebSocket that a side has closed, whose upstream's connection is over.
    ///
    /// - Parameters:
    ///   - end: how that connection ended, which is noted where the upstream has sent no close frame.
    ///   - effects: what follows.
    /// - Returns: false when neither side has closed it.
    mutating func endIfClosing(noting end: ExchangeFailure? = nil, _ effects: inout [Effect]) -> Bool {
        guard let frames = webSocket?.frames, frames.isClosing, !isAwaitingResponse else { return false }
        if let end, !frames.isResponseClosed { effects.append(.noteUnclosedEnd(end)) }
        deliverWithheld(&effects)
        endClientHalf(&effects)
        responseEnd(nil, &effects)
        return true
    }

    /// Closes the WebSocket to each side that has had no close frame, in the name of the other; it ends when both have answered.
    ///
    /// One that both sides have closed ends at once.
    ///
    /// - Parameters:
    ///   - goingAway: the close frames.
    ///   - now: the time.
    ///   - effects: what follows; nothing where a side has no place for its frame, or where no side is to have one.
    mutating func closeWebSocket(_ goingAway: GoingAway, _ now: NIODeadline, _ effects: inout [Effect]) {
        guard let ends = webSocket, ends.closed == nil, case .flowing = response, !ends.frames.isUnread else { return }
        guard !endIfClosed(&effects) else { return }
        let closesRequest = !ends.frames.isRequestClosed && !isRequestWhole
        let closesResponse = !ends.frames.isResponseClosed
        guard closesRequest || closesResponse, !closesRequest || goingAway.request != nil,
            !closesResponse || goingAway.response != nil
        else { return }
        if closesRequest, let frame = goingAway.request { requestPart(.requestBody(frame), &effects) }
        if closesResponse, let frame = goingAway.response { responsePart(.responseBody(frame), &effects) }
        webSocket?.closed = now
        effects += [.noteClosedWebSocket, .flushUpstream]
        deliverWithheld(&effects)
    }

    /// How a WebSocket ended that neither side has closed: by which of them; `nil` where one has closed it, and for other exchanges.
    var unclosedEnd: ExchangeFailure? {
        guard let webSocket, webSocket.closed == nil, !webSocket.frames.isUnread, !webSocket.frames.isRequestClosed,
            !webSocket.frames.isResponseClosed
        else { return nil }
        let message = "ended the WebSocket without a close frame (close code 1006)"
        return webSocket.endedFirst == .request
            ? .ofClient(.deliver, .noCloseFrame, "The client \(message).")
            : .ofUpstream(upstream, .receive, .noCloseFrame, message)
    }

    private mutating func endClientHalf(_ effects: inout [Effect]) {
        if !isRequestWhole { requestPart(.requestEnd(nil), &effects) }
    }
}
