import NIOCore
import Traffic

/// How an exchange becomes a WebSocket: both sides' bytes pass as they come, like the content of two endless messages.
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
        isWebSocket = true
        tap.exchange.version = .webSocket
        tap.exchange.upstreamVersion = .webSocket
        if let scheme = tap.exchange.scheme { tap.exchange.scheme = scheme.webSocket }
        tap.beginWebSocket(WebSocketCompression(extensions: head.fields), loop.lane)
        tell(.webSocket)
    }

    /// Tells the machine how far the frames of the WebSocket have come with its end, where that is not what it knows.
    func tellFrames() {
        guard isWebSocket else { return }
        let frames = tap.messages.frames
        if frames != machine.webSocket?.frames { tell(.frames(frames)) }
    }
}
