import NIOCore
import Traffic

/// What the heads become on the other side, which may speak another version.
extension ExchangeHandler {
    /// The request's head for an upstream, and the text of it for the record where it differs from what came.
    func requestPart(_ head: RequestHead, _ route: RequestRoute, isStream: Bool) -> (part: WirePart, sent: ByteBuffer?)
    {
        if isStream { noteRewritten(head.raw, head.version, .request) }
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
            noteRewritten(head.raw.fieldLines, head.version, .response)
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
        // A client of HTTP/1.0 is not told of chunks where there is no content, either (RFC 9112 §6.1).
        let sent = HopByHop.response(head, keepsFraming: live?.head?.version != .http10, closes: closes)
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
        warn(
            "A field of the \(side.rawValue) holds U+FFFD: where its sender meant bytes that are no UTF-8, they were replaced, here and on the way."
        )
    }

    /// Says on the exchange that a head or a trailer section which came in HTTP/1 is not what goes on over HTTP/2: the library sends UTF-8 only, so what is
    /// none goes on as the characters that these bytes are in ISO 8859-1.
    func noteRewritten(_ section: ByteBuffer?, _ version: HTTPVersion?, _ side: MessageSide) {
        guard version != .http2, let section, !section.isUTF8 else { return }
        warn(
            "The \(side.rawValue) has fields with bytes that are no UTF-8: they were taken for ISO 8859-1, and went on over HTTP/2 as UTF-8."
        )
    }

    /// A trailer section as it goes on; `nil` where there is none, or nothing of it does.
    func trailersPart(_ section: ByteBuffer?, of head: HeaderList?, _ side: MessageSide) -> ByteBuffer? {
        guard let section, let head else { return section }
        let sent = HopByHop.trailers(section, of: head, isRequest: side == .request)
        if sent != section {
            warn("Trailer fields of the \(side.rawValue) that concern one connection only were not passed on.")
        }
        return sent
    }

    private func warn(_ sentence: String) {
        if live?.tap.exchange.warnings.contains(sentence) == false { live?.tap.exchange.warnings.append(sentence) }
    }

    /// An interim response for this client; `nil` where it cannot be told.
    func interimPart(_ head: ResponseHead) -> WirePart? {
        // HTTP/1.0 knows none (RFC 9110 §15.2).
        guard live?.head?.version != .http10 else { return nil }
        if codec.stream != nil {
            noteRewritten(head.raw.fieldLines, head.version, .response)
            return .fields(HTTP2Fields.response(head).fields)
        }
        guard head.version == .http2 else {
            return .head(HopByHop.response(head, keepsFraming: true, closes: false), .none)
        }
        return .head(
            HTTP1Translation.response(head, to: live?.head?.method ?? "", canChunk: true, closes: false),
            .none
        )
    }
}

extension ByteBuffer {
    /// What stands behind the first line: a reason phrase has no place in HTTP/2.
    fileprivate var fieldLines: ByteBuffer? {
        readableBytesView.firstIndex(of: ASCII.lineFeed).flatMap { getSlice(at: $0, length: writerIndex - $0) }
    }

    /// Whether all of it is UTF-8; nearly all is ASCII, which is seen at once.
    fileprivate var isUTF8: Bool {
        withUnsafeReadableBytes { bytes in
            var bits: UInt8 = 0
            for byte in bytes { bits |= byte }
            return bits < 0x80 || String(validating: bytes, as: UTF8.self) != nil
        }
    }

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
