import NIOCore
import Traffic

/// How an exchange becomes a WebSocket, and how that ends: both sides' bytes pass as they come, like the content of two endless messages.
extension ExchangeHandler {
    /// The upstream switched protocols.
    func switchProtocols(_ head: ResponseHead) {
        guard live?.head?.asksForWebSocket == true, head.opensWebSocket else {
            tell(.upstreamBroken(upstreamFailure(.wait, .wrongProtocol, "switched protocols without being asked to")))
            return
        }
        live?.isUpstreamReusable = false
        live?.responsePart = .head(head.raw, .untilClose)
        live?.tap.exchange.response = Message(head: head.raw)
        switchOver(head)
    }

    /// Goes on as a WebSocket with a client of HTTP/1.1.
    private func switchOver(_ head: ResponseHead) {
        live?.persists = false
        live?.tap.exchange.code = head.code
        live?.time(at: loop.now, isFinal: false)
        becomeWebSocket(head)
        tell(.switched(head))
        codec.becomeRaw()
        resumeRead()
    }

    /// Whether a stream of HTTP/2 on both sides becomes a WebSocket by this response to an extended CONNECT (RFC 8441 §5).
    func opensStreamWebSocket(_ head: ResponseHead) -> Bool {
        live?.head?.extendedProtocol == "websocket" && (200..<300).contains(head.code)
            && live?.upstream?.isStream == true
    }

    /// Why the request for a WebSocket cannot be answered where the upstream does not do that itself; `nil` when it can.
    var openingProblem: ExchangeFailure? {
        guard let head = live?.head, head.asksForWebSocket, head.fields.values("sec-websocket-key").count != 1 else {
            return nil
        }
        return clientFailure(.request, .malformed, "The request for a WebSocket has not one Sec-WebSocket-Key.")
    }

    /// Takes an upstream's answer to a WebSocket's opening that was sent on a stream; false when that is not what was sent.
    func answersOpening(_ head: ResponseHead) -> Bool {
        guard live?.isOpeningOnStream == true else { return false }
        guard (200..<300).contains(head.code), let key = live?.head?.fields.first("sec-websocket-key") else {
            // It is an ordinary response, and nothing more will be sent.
            live?.upstream?.send(.end(nil))
            live?.upstream?.flush()
            return false
        }
        let sent = WebSocketTranslation.response(head, key: key)
        live?.isUpstreamReusable = true
        live?.responsePart = .head(sent, .untilClose)
        live?.tap.exchange.response = Message(head: head.raw, sentHead: sent)
        switchOver(head)
        return true
    }

    /// From here on the content of both sides is a WebSocket's.
    func becomeWebSocket(_ head: ResponseHead) {
        live?.isSwitched = true
        live?.tap.exchange.version = .webSocket
        live?.tap.exchange.upstreamVersion = .webSocket
        if let scheme = live?.tap.exchange.scheme { live?.tap.exchange.scheme = scheme.webSocket }
        live?.tap.beginWebSocket(WebSocketCompression(extensions: head.fields), loop.lane)
    }

    /// A side of the WebSocket sends nothing more.
    func webSocketEnded(_ side: MessageSide) {
        if live?.endedFirst == nil { live?.endedFirst = side }
        switch side {
        case .request:
            // A client that has closed properly and ended waits for nothing; on a stream the upstream still ends its half.
            let isOver = codec.stream == nil && endIfClosed()
            if !isOver { tell(.requestEnd(nil)) }
        case .response:
            live?.hasUpstreamEnded = true
            tell(.responsePaused)
            // The client's answer to a close frame is on its way: it is waited for a moment, so that the record has it.
            let awaitsAnswer = closeCode(.response) != nil && closeCode(.request) == nil
            if !awaitsAnswer { endClientHalf() }
            tell(.responseEnd(nil))
        }
    }

    /// A side sent more, which is its last word where the upstream has ended before, or a proxy that stops has closed the WebSocket.
    func webSocketAnswered() {
        if live?.closed != nil, endIfClosed() { return }
        if live?.machine.isEarly == true, closeCode(.request) != nil { endClientHalf() }
    }

    /// Ends the WebSocket properly, however its connections end, once both sides have closed it; false when they have not.
    func endIfClosed() -> Bool {
        guard live?.isSwitched == true, closeCode(.request) != nil, closeCode(.response) != nil else { return false }
        tell(.responsePaused)
        endClientHalf()
        tell(.responseEnd(nil))
        return true
    }

    /// Why an exchange that ended is none that completed: a WebSocket whose sides never said that they close it.
    func unclosed() -> ExchangeFailure? {
        guard live?.isSwitched == true, live?.closed == nil, live?.tap.messages.isUnread == false,
            closeCode(.request) == nil, closeCode(.response) == nil
        else { return nil }
        let side: ExchangeFailure.Side = live?.endedFirst == .request ? .client : .upstream
        let who = side == .client ? "The client" : live?.key?.endpoint.description ?? "The upstream"
        return ExchangeFailure(
            side: side,
            phase: side == .client ? .deliver : .receive,
            cause: .noCloseFrame,
            message: "\(who) ended the WebSocket without a close frame (close code 1006)."
        )
    }

    /// Closes the WebSocket on both sides, to each in the name of the other; it ends when both have answered.
    ///
    /// - Returns: false where there is no place for a close frame: in the midst of another frame, or among bytes that are none.
    func closeWebSocket() -> Bool {
        let sides = [MessageSide.request, .response].filter { side in
            closeCode(side) == nil && (side == .response || live?.machine.isRequestEnded == false)
        }
        guard live?.tap.messages.isUnread == false,
            sides.allSatisfy({ live?.tap.messages.isBetweenFrames($0) == true })
        else { return false }
        for side in sides {
            let frame = Self.goingAway(isMasked: side == .request)
            tell(side == .request ? .requestBody(frame) : .responseBody(frame))
        }
        live?.closed = loop.now
        live?.tap.exchange.warnings.append("The proxy was stopped, and closed the WebSocket (close code 1001).")
        flushUpstream()
        tell(.responsePaused)
        _ = endIfClosed()
        return true
    }

    /// A close frame that says that its sender goes away (RFC 6455 §7.4.1); a client masks what it sends (RFC 6455 §5.3).
    private static func goingAway(isMasked: Bool) -> ByteBuffer {
        let mask = isMasked ? UInt16.random(in: .min ... .max) : 0
        var frame = ByteBuffer()
        frame.writeInteger(isMasked ? 0x8882 : 0x8802, as: UInt16.self)
        // Of the mask's four bytes the last two have nothing to mask.
        if isMasked { frame.writeInteger(UInt32(mask) << 16) }
        frame.writeInteger(1_001 ^ mask)
        return frame
    }

    private func closeCode(_ side: MessageSide) -> Int? { live?.tap.messages.closeCode(side) }

    private func endClientHalf() {
        if live?.machine.isRequestEnded == false { tell(.requestEnd(nil)) }
    }
}
