import NIOCore
import Traffic

/// How an exchange's response is spelled for a client of HTTP/1.
extension ClientConnectionHandler {
    /// The connection does not persist behind a response whose end only a close can tell, or whose request is not read to its end.
    func head(of response: ResponseHead, for exchange: ExchangeShell) -> (part: WirePart, sent: ByteBuffer?) {
        let request = exchange.subject.head
        let cannotChunk = request.version == .http10 && response.framing == .chunked
        if cannotChunk || response.framing == .untilClose || refusesRest(exchange) { exchange.persists = false }
        let framing = cannotChunk ? BodyFraming.untilClose : response.framing
        if response.version == .http2 {
            let sent = HTTP1Translation.response(
                response,
                to: request.method,
                canChunk: !cannotChunk,
                closes: !exchange.persists
            )
            return (.head(sent, framing), sent)
        }
        // A client of HTTP/1.0 knows no chunks, also where there is no content (RFC 9112 §6.1).
        let keepsFraming = request.version != .http10
        let sent = HopByHop.response(response, keepsFraming: keepsFraming, closes: !exchange.persists)
        return (.head(sent, framing), sent == response.raw ? nil : sent)
    }

    /// Whether nothing more of the request is read behind a response that begins now.
    ///
    /// The client has kept its body back and is refused, or the upstream closes its connection before it has the whole request.
    private func refusesRest(_ exchange: ExchangeShell) -> Bool {
        guard !exchange.machine.isRequestEnded else { return false }
        return exchange.machine.refusesBody || !exchange.isUpstreamReusable
    }

    func interimHead(of response: ResponseHead, for exchange: ExchangeShell) -> WirePart? {
        let request = exchange.subject.head
        // HTTP/1.0 has no interim responses (RFC 9110 §15.2).
        guard request.version != .http10 else { return nil }
        guard response.version == .http2 else {
            return .head(HopByHop.response(response, keepsFraming: true, closes: false), .none)
        }
        return .head(HTTP1Translation.response(response, to: request.method, canChunk: true, closes: false), .none)
    }

    func write(_ part: WirePart) { context?.write(wrapOutboundOut(part), promise: nil) }

    func writeEnd(_ trailers: ByteBuffer?, of exchange: ExchangeShell) { write(.end(trailers)) }

    func write(_ answer: OwnAnswer, of exchange: ExchangeShell) { write(.head(answer.text, .none)) }

    func flushLast() { flush() }

    func flush() { context?.flush() }
}
