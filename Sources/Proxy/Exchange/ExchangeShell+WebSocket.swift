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
    ///   - head: the upstream's answer, which need not be of HTTP/1.1.
    ///   - sent: the answer for the client.
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

    /// Takes the content of both sides for a WebSocket's from here on.
    func becomeWebSocket(_ head: ResponseHead) {
        isWebSocket = true
        tap.exchange.version = .webSocket
        tap.exchange.upstreamVersion = .webSocket
        if let scheme = tap.exchange.scheme { tap.exchange.scheme = scheme.webSocket }
        tap.beginWebSocket(WebSocketCompression(extensions: head.fields), loop.lane)
        tell(.webSocket)
    }

    /// Tells the machine what the frames say of the WebSocket's end, where that is news.
    func tellFrames() {
        guard isWebSocket else { return }
        let frames = tap.messages.frames
        if frames != machine.webSocket?.frames { tell(.frames(frames)) }
    }
}
