import NIOCore
import NIOHTTP2
import Traffic

/// A stream of an upstream's HTTP/2 connection, which has one exchange.
final class UpstreamStreamHandler: UpstreamHandler {
    /// The connection that it is a stream of.
    private let connection: HTTP2Upstream
    private let codec: HTTP2StreamCodec
    /// Whether a client's request of HTTP/1.1 for a WebSocket was sent on it and is not answered yet.
    private var isOpening = false
    /// Whether its response was malformed; then that is the code of its reset, whatever else went wrong (RFC 9113 §8.1.1).
    private var isMalformed = false

    override var partner: ExchangeShell? {
        didSet { if (oldValue == nil) != (partner == nil) { connection.countUse(partner == nil ? -1 : 1) } }
    }

    init(
        _ codec: HTTP2StreamCodec,
        of connection: HTTP2Upstream,
        setUp: UpstreamSetUp?,
        channel: any Channel,
        isReused: Bool
    ) {
        self.connection = connection
        self.codec = codec
        super.init(
            key: connection.key,
            codec: codec,
            peer: connection.peer,
            place: connection.place,
            setUp: setUp,
            channel: channel,
            isReused: isReused
        )
    }

    override var isStream: Bool { true }
    override var streamID: Int? { codec.streamID }
    override var version: HTTPVersion { .http2 }

    // MARK: Its exchange

    override func readiness(for subject: ExchangeSubject) -> UpstreamReadiness {
        let head = subject.head
        if let limit = exceededLimit(subject) {
            return .unfit(.tooLong, "takes no request head of more than \(limit) bytes over HTTP/2", code: 431)
        }
        if head.asksForWebSocket, head.fields.values("sec-websocket-key").count != 1 {
            return .refused(.malformed, "The request for a WebSocket has not one Sec-WebSocket-Key.")
        }
        guard head.extendedProtocol != nil || head.asksForWebSocket else { return .ready }
        guard let takesExtendedConnect = connection.takesExtendedConnect else {
            return .unsettled(whenSettled: connection.whenSettled)
        }
        if connection.isClosed { return .unfit(.closed, "closed the connection at once") }
        if takesExtendedConnect { return .ready }
        if let silence = connection.silence {
            return .unfit(.timeout, "sent no settings of HTTP/2 for \(silence.text)")
        }
        return .unfit(.noExtendedConnect, "takes no extended CONNECT")
    }

    /// The limit, in bytes, that a request's head exceeds: the upstream's, or that of HTTP/2's frames; `nil` where the head fits.
    ///
    /// An upstream may end the connection over a longer head, with every other exchange on it.
    private func exceededLimit(_ subject: ExchangeSubject) -> Int? {
        guard let route = subject.errand?.route else { return nil }
        let head = subject.head
        let limit = min(connection.fieldsLimitBytes ?? .max, FrameSplitter.fieldsLimitBytes)
        // The text lacks at most the scheme, the names of pseudo-header fields, and 32 bytes for each field.
        guard head.raw.readableBytes + 32 * head.fields.count + 512 > limit,
            HTTP2Fields.size(HTTP2Fields.request(head, route: route).fields) > limit
        else { return nil }
        return limit
    }

    override func keep(after exchange: ExchangeShell) {
        let hasContent = exchange.isWebSocket || exchange.subject.head.framing != .none
        guard hasContent else { return }
        LeavingConnection.awaitEnd(of: codec, on: channel, exchange.loop, isWebSocket: exchange.isWebSocket)
    }

    override func look(_ progress: inout SocketProgress, _ now: NIODeadline) {
        progress.look(channel, stream: codec, now)
    }

    /// Tells the connection, which may be dead where nothing came for other streams either.
    override func wasSilent(since: NIODeadline) { connection.wasSilent(since: since) }

    // MARK: From the exchange

    override func sendHead(of exchange: ExchangeShell) {
        guard let route = exchange.subject.errand?.route else { return }
        let head = exchange.subject.head
        exchange.noteRewritten(head.raw, head.version, .request)
        isOpening = head.asksForWebSocket
        let (fields, isChanged) =
            isOpening
            ? (WebSocketTranslation.request(head, route: route), true) : HTTP2Fields.request(head, route: route)
        exchange.tap.exchange.request.sentHead = isChanged ? HTTP2Fields.text(fields) : nil
        write(.fields(fields))
    }

    /// Ends the request; the opening of a WebSocket, which ends here in HTTP/1.1, goes on as a stream.
    override func sendEnd(_ trailers: ByteBuffer?) {
        if let partner { partner.noteRewritten(trailers, partner.subject.head.version, .request) }
        if !isOpening { super.sendEnd(trailers) }
    }

    override func endOutput() {
        write(.end(nil))
        flush()
    }

    /// Gives the stream up, unless it has ended.
    override func close() { reset(.cancel) }

    override func reset(_ code: HTTP2ErrorCode) { codec.reset(isMalformed ? .protocolError : code) }

    // MARK: From the channel

    /// Tells the head of a response; the answer to the opening of a WebSocket is told as such.
    override func take(_ head: ResponseHead, _ partner: ExchangeShell) {
        guard isOpening, !head.isInterim else { return partner.upstreamSent(head) }
        isOpening = false
        if (200..<300).contains(head.code), let key = partner.subject.head.fields.first("sec-websocket-key") {
            return partner.upstreamOpened(head, sent: WebSocketTranslation.response(head, key: key))
        }
        // It is an ordinary response, and nothing more will be sent.
        endOutput()
        partner.upstreamSent(head)
    }

    override func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let closed = error as? NIOHTTP2Errors.StreamClosed, let partner {
            // Before the exchange looks for another connection.
            if closed.errorCode == .refusedStream { connection.wasRefused() }
            let isUnprocessed = closed.errorCode == .refusedStream || connection.hasGivenUp(streamID)
            let isOurs = codec.resetCode(of: closed.streamID) != nil
            isInputClosed = true
            return partner.upstreamReset(closed.errorCode, isOurs: isOurs, isUnprocessed: isUnprocessed)
        }
        // Other codes are for well-formed responses that we do not take.
        if partner != nil, let malformed = error as? MalformedMessage { isMalformed = malformed.problem.code == 400 }
        super.errorCaught(context: context, error: error)
    }

    override func reason(for error: any Error) -> (Cause, String) {
        let reason = super.reason(for: error)
        return reason.0 == .reset ? reason : connection.problem ?? reason
    }

    override var closed: (Cause, String) { connection.problem ?? super.closed }

    override func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard let partner, partner.client.isReadWithheld else {
            return super.channelWritabilityChanged(context: context)
        }
        // The library may tell it while it writes the last content, which trailers must not overtake.
        context.eventLoop.assumeIsolated().execute { [self] in
            if channel.isWritable { self.partner?.upstreamTakesMore() }
        }
        context.fireChannelWritabilityChanged()
    }
}
