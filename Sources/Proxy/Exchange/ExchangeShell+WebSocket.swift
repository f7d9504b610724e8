import NIOCore
import Traffic

/// How an exchange becomes a WebSocket, and how that ends: both sides' bytes pass as they come, like the content of two endless messages.
extension ExchangeShell {
    /// The upstream switched protocols.
    func switchProtocols(_ head: ResponseHead) {
        guard subject.head.asksForWebSocket, head.opensWebSocket else {
            tell(.upstreamBroken(upstreamFailure(.wait, .wrongProtocol, "switched protocols without being asked to")))
            return
        }
        isUpstreamReusable = false
        switchOver(head, sent: head.raw)
    }

    /// Goes on as a WebSocket with a client of HTTP/1.1.
    ///
    /// - Parameters:
    ///   - head: what the upstream answered, which need not be of HTTP/1.1.
    ///   - sent: what the client is answered.
    func switchOver(_ head: ResponseHead, sent: ByteBuffer) {
        persists = false
        responsePart = .head(sent, .untilClose)
        tap.exchange.response = Message(head: head.raw, sentHead: sent == head.raw ? nil : sent)
        tap.exchange.code = head.code
        marks.fill(&tap.exchange.timeline, at: loop.now, isFinal: false)
        becomeWebSocket(head)
        tell(.switched)
        client.goOnRaw()
    }

    /// Whether a stream of HTTP/2 on both sides becomes a WebSocket by this response to an extended CONNECT (RFC 8441 §5).
    func opensStreamWebSocket(_ head: ResponseHead) -> Bool {
        subject.head.extendedProtocol == "websocket" && (200..<300).contains(head.code) && upstream?.isStream == true
    }

    /// From here on the content of both sides is a WebSocket's.
    func becomeWebSocket(_ head: ResponseHead) {
        webSocket = WebSocketEnds()
        tap.exchange.version = .webSocket
        tap.exchange.upstreamVersion = .webSocket
        if let scheme = tap.exchange.scheme { tap.exchange.scheme = scheme.webSocket }
        tap.beginWebSocket(WebSocketCompression(extensions: head.fields), loop.lane)
    }

    /// A side of the WebSocket sends nothing more.
    func webSocketEnded(_ side: MessageSide) {
        if webSocket?.endedFirst == nil { webSocket?.endedFirst = side }
        switch side {
        case .request:
            // A client that has closed properly and ended waits for nothing; on a stream the upstream still ends its half.
            let isOver = client.version != .http2 && endIfClosed()
            if !isOver { tell(.requestEnd(nil)) }
        case .response:
            webSocket?.hasUpstreamEnded = true
            tell(.responsePaused)
            // The client's answer to a close frame is on its way: it is waited for a moment, so that the record has it.
            let awaitsAnswer = closeCode(.response) != nil && closeCode(.request) == nil
            if !awaitsAnswer { endClientHalf() }
            tell(.responseEnd(nil))
        }
    }

    /// A side sent more, which is its last word where the upstream has ended before, or a proxy that stops has closed the WebSocket.
    func webSocketAnswered() {
        if webSocket?.closed != nil, endIfClosed() { return }
        if machine.isEarly, closeCode(.request) != nil { endClientHalf() }
    }

    /// Ends the WebSocket properly, however its connections end, once both sides have closed it; false when they have not.
    func endIfClosed() -> Bool {
        guard webSocket != nil, closeCode(.request) != nil, closeCode(.response) != nil else { return false }
        tell(.responsePaused)
        endClientHalf()
        tell(.responseEnd(nil))
        return true
    }

    /// Why an exchange that ended is none that completed: a WebSocket whose sides never said that they close it.
    func unclosed() -> ExchangeFailure? {
        guard let webSocket, webSocket.closed == nil, !tap.messages.isUnread, closeCode(.request) == nil,
            closeCode(.response) == nil
        else { return nil }
        let side: ExchangeFailure.Side = webSocket.endedFirst == .request ? .client : .upstream
        let who = side == .client ? "The client" : subject.errand?.key.endpoint.description ?? "The upstream"
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
            closeCode(side) == nil && (side == .response || !machine.isRequestEnded)
        }
        guard !tap.messages.isUnread, sides.allSatisfy({ tap.messages.isBetweenFrames($0) }) else { return false }
        for side in sides {
            let frame = Self.goingAway(isMasked: side == .request)
            tell(side == .request ? .requestBody(frame) : .responseBody(frame))
        }
        webSocket?.closed = loop.now
        tap.exchange.warnings.append("The proxy was stopped, and closed the WebSocket (close code 1001).")
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

    private func closeCode(_ side: MessageSide) -> Int? { tap.messages.closeCode(side) }

    private func endClientHalf() {
        if !machine.isRequestEnded { tell(.requestEnd(nil)) }
    }
}
