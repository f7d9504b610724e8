import NIOCore
import Traffic

/// How an exchange becomes a WebSocket: both sides' bytes pass as they come, like the content of two endless messages.
extension ExchangeShell {
    /// The upstream switched protocols; what the client did not ask for ends the exchange.
    ///
    /// - Parameters:
    ///   - head: the upstream's answer, which need not be of HTTP/1.1.
    ///   - sent: the answer for a client of HTTP/1.1.
    func upstreamSwitched(_ head: ResponseHead, sent: ByteBuffer) {
        guard machine.opensWebSocket(head) else { return tell(.switched(head)) }
        persists = false
        tap.exchange.code = head.code
        if rules?.mayTouchResponse == true { judgeHandshake(head, sent) } else { openWebSocket(head, sent) }
    }

    /// Opens the WebSocket.
    ///
    /// - Parameters:
    ///   - head: the upstream's answer.
    ///   - sent: what the client gets.
    func openWebSocket(_ head: ResponseHead, _ sent: ByteBuffer) {
        rules?.free()
        responsePart = .head(sent, .untilClose)
        tap.exchange.response = Message(head: head.raw, sentHead: sent == head.raw ? nil : sent)
        marks.fill(&tap.exchange.timeline, at: loop.now, isFinal: false)
        recordWebSocket(head)
        tell(.switched(head))
        client.goOnRaw()
    }

    /// Takes the content of both sides for a WebSocket's in the record from here on.
    func recordWebSocket(_ head: ResponseHead) {
        isWebSocket = true
        tap.exchange.version = .webSocket
        tap.exchange.upstreamVersion = .webSocket
        if let scheme = tap.exchange.scheme { tap.exchange.scheme = scheme.webSocket }
        tap.beginWebSocket(WebSocketCompression(extensions: head.fields), loop.lane)
    }

    /// Tells the machine what the frames say of the WebSocket's end, where that is news.
    func tellFrames() {
        guard isWebSocket else { return }
        let frames = tap.messages.frames
        if frames != machine.webSocket?.frames { tell(.frames(frames)) }
    }
}
