import NIOCore
import Traffic

/// What the heads become on the other side, which may speak another version.
extension ExchangeHandler {
    /// The request's head for an upstream, and the text of it for the record where it differs from what came.
    func requestPart(_ head: RequestHead, _ route: RequestRoute, isStream: Bool) -> (part: WirePart, sent: ByteBuffer?)
    {
        if isStream, head.asksForWebSocket {
            let fields = WebSocketTranslation.request(head, route: route)
            return (.fields(fields), HTTP2Fields.text(fields))
        }
        if isStream {
            let (fields, isChanged) = HTTP2Fields.request(head, route: route)
            return (.fields(fields), isChanged ? HTTP2Fields.text(fields) : nil)
        }
        if head.version == .http2 {
            let sent = HTTP1Translation.request(head, route: route)
            return (.head(sent, head.framing), sent)
        }
        let sent = HopByHop.request(
            head,
            target: route.originTarget,
            host: route.host,
            keepsUpgrade: head.asksForWebSocket
        )
        return (.head(sent, head.framing), sent == head.raw ? nil : sent)
    }

    /// The response's head for this client, and the text of it for the record where it differs from what came.
    ///
    /// Where only a close can tell the end, the connection does not persist after it.
    func responsePart(_ head: ResponseHead) -> (part: WirePart, sent: ByteBuffer?) {
        if codec.stream != nil {
            let (fields, isChanged) = HTTP2Fields.response(head)
            return (.fields(fields), isChanged ? HTTP2Fields.text(fields) : nil)
        }
        let cannotChunk = live?.head?.version == .http10 && head.framing == .chunked
        if cannotChunk || head.framing == .untilClose { live?.persists = false }
        let closes = live?.persists != true
        let framing = cannotChunk ? BodyFraming.untilClose : head.framing
        if head.version == .http2 {
            let method = live?.head?.method ?? ""
            let sent = HTTP1Translation.response(head, to: method, canChunk: !cannotChunk, closes: closes)
            return (.head(sent, framing), sent)
        }
        let sent = HopByHop.response(head, keepsFraming: !cannotChunk, closes: closes)
        return (.head(sent, framing), sent == head.raw ? nil : sent)
    }

    /// An interim response for this client; `nil` where it cannot be told.
    func interimPart(_ head: ResponseHead) -> WirePart? {
        // HTTP/1.0 knows none (RFC 9110 §15.2).
        guard live?.head?.version != .http10 else { return nil }
        if codec.stream != nil { return .fields(HTTP2Fields.response(head).fields) }
        guard head.version == .http2 else { return .head(head.raw, .none) }
        return .head(
            HTTP1Translation.response(head, to: live?.head?.method ?? "", canChunk: true, closes: false),
            .none
        )
    }
}
