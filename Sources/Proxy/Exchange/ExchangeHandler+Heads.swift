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
    /// The connection does not persist after it where only a close can tell the end, and where the rest of the request is not going to be read.
    func responsePart(_ head: ResponseHead) -> (part: WirePart, sent: ByteBuffer?) {
        if codec.stream != nil {
            let (fields, isChanged) = HTTP2Fields.response(head)
            return (.fields(fields), isChanged ? HTTP2Fields.text(fields) : nil)
        }
        let cannotChunk = live?.head?.version == .http10 && head.framing == .chunked
        if cannotChunk || head.framing == .untilClose || refusesRest { live?.persists = false }
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

    /// Whether a response that begins now is one behind which nothing more of the request is read: a refusal of a body that its client has kept back, or
    /// the last response of an upstream that closes its connection before it has the request.
    private var refusesRest: Bool {
        guard let live, !live.machine.isRequestEnded else { return false }
        return live.machine.refusesBody || !live.isUpstreamReusable
    }

    /// Says on the exchange that a field section of HTTP/2 may not be what came: its reader puts U+FFFD in the place of bytes that are no UTF-8.
    func noteReplaced(_ section: ByteBuffer?, _ version: HTTPVersion?, _ side: MessageSide) {
        guard version == .http2, let section, section.holdsReplacement else { return }
        let warning =
            "A field of the \(side.rawValue) holds U+FFFD: where its sender meant bytes that are no UTF-8, they were replaced, here and on the way."
        if live?.tap.exchange.warnings.contains(warning) == false { live?.tap.exchange.warnings.append(warning) }
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

extension ByteBuffer {
    /// Whether U+FFFD is among the characters of a UTF-8 text.
    fileprivate var holdsReplacement: Bool {
        withUnsafeReadableBytes { bytes in
            var rest = bytes[...]
            while let first = rest.firstIndex(of: 0xEF) {
                if rest[first...].starts(with: [0xEF, 0xBF, 0xBD]) { return true }
                rest = rest[(first + 1)...]
            }
            return false
        }
    }
}
