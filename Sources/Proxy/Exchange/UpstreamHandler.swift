import NIOCore
import NIOHTTP2
import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The upstream half of the matched pair: turns what the upstream sends into facts for its partner, and writes what the partner sends.
final class UpstreamHandler: ChannelDuplexHandler, Watched {
    typealias InboundIn = MessagePart
    typealias OutboundIn = WirePart
    typealias OutboundOut = WirePart

    let key: UpstreamKey
    let peer: Peer
    let place: UpstreamPlace
    let channel: any Channel
    /// How the connection came about, for the first exchange on it; then `nil`.
    var setUp: UpstreamSetUp?
    /// Who holds it while no exchange is on it.
    weak var keeper: (any UpstreamKeeper)?
    /// Whether a login was made on it that counts for all that follows there: it belongs to one client's connection.
    var isBound = false
    var idleUntil = NIODeadline.distantFuture
    /// What it was connected by; `nil` for a stream, whose connection knows.
    var madeBy: ProxyShared?
    /// Whether the connection carried an exchange before.
    private(set) var isReused: Bool
    /// The HTTP/2 connection that this is a stream of; `nil` for an HTTP/1 connection.
    let connection: HTTP2Upstream?

    private let codec: any UpstreamCodec
    private var partner: ExchangeHandler? {
        didSet { if (oldValue == nil) != (partner == nil) { connection?.countUse(partner == nil ? -1 : 1) } }
    }
    private var context: ChannelHandlerContext?
    private var isReadWithheld = false
    private var isInputClosed = false
    /// Whether its response was malformed, which its stream is reset for, whatever else is the matter (RFC 9113 §8.1.1).
    private var isMalformed = false

    init(
        key: UpstreamKey,
        codec: any UpstreamCodec,
        peer: Peer,
        place: UpstreamPlace,
        setUp: UpstreamSetUp?,
        channel: any Channel,
        connection: HTTP2Upstream? = nil,
        isReused: Bool = false
    ) {
        self.key = key
        self.codec = codec
        self.peer = peer
        self.place = place
        self.channel = channel
        self.setUp = setUp
        self.connection = connection
        self.isReused = isReused
    }

    /// Whether an exchange was put on it.
    private(set) var isUsed = false

    /// Whether this is a stream among others.
    var isStream: Bool { connection != nil }

    /// What only a stream can do; `nil` on a connection of its own.
    var stream: HTTP2StreamCodec? { codec.stream }

    /// The stream's identifier; `nil` on a connection of its own, and before the first flush.
    var streamID: Int? { codec.stream?.streamID }

    /// The version spoken.
    var version: HTTPVersion { isStream ? .http2 : .http11 }

    // MARK: From the partner

    /// Puts an exchange on this connection; false when it has been closed meanwhile.
    func attach(_ partner: ExchangeHandler, to request: RequestHead) -> Bool {
        guard channel.isActive, !isInputClosed else { return false }
        self.partner = partner
        isUsed = true
        codec.expectResponse(to: request.method, maySwitch: request.asksForWebSocket)
        return true
    }

    /// Takes the exchange off; afterwards nothing of this connection reaches it.
    func detach() {
        partner = nil
        isReused = true
        resumeRead()
    }

    /// Takes the exchange off and breaks the connection or the stream off, with a code that what still waits to be read cannot forestall.
    func drop(_ code: HTTP2ErrorCode) {
        partner = nil
        reset(code)
        resumeRead()
    }

    /// Writes a part of the request; `flush` sends it.
    func send(_ part: WirePart) { context?.write(wrapOutboundOut(part), promise: nil) }

    func flush() { context?.flush() }

    /// Says that nothing more is sent, and reads on: half of a switched connection ends.
    func endOutput() {
        if isStream { send(.end(nil)) }
        flush()
        guard !isStream else { return }
        let channel = channel
        ConnectionEnd.whenWritten(channel) { channel.close(mode: .output, promise: nil) }
    }

    /// Whether more of the request may be written.
    var isWritable: Bool { channel.isWritable }

    /// Closes the connection properly; a stream that has ended needs nothing, one that has not is given up.
    func close() { if isStream { reset(.cancel) } else { ConnectionEnd.leave(channel) } }

    /// Breaks the connection or the stream off; the code says why where that can be said.
    func reset(_ code: HTTP2ErrorCode) {
        guard let stream = codec.stream else { return ConnectionEnd.reset(channel) }
        stream.reset(isMalformed ? .protocolError : code)
    }

    /// Reads again, if a read was withheld and nothing withholds it now.
    func resumeRead() {
        guard isReadWithheld, let context, partner?.takesResponse != false else { return }
        isReadWithheld = false
        context.read()
    }

    // MARK: From the channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let partner else {
            abandonIdle()
            return
        }
        switch unwrapInboundIn(data) {
        case .response(let head): partner.upstreamSent(head)
        case .body(let bytes): partner.upstreamSent(bytes)
        case .end(let trailers): partner.upstreamEnded(trailers)
        case .request: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { partner?.upstreamBurstEnded() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let extra as ExtraBytes: partner?.upstreamSent(extra)
        case ChannelEvent.inputClosed:
            isInputClosed = true
            if let partner {
                tellClosed(partner)
            } else {
                abandonIdle()
            }
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isInputClosed = true
        if let partner { tellClosed(partner) }
        keeper?.remove(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isInputClosed = true
        guard let partner else {
            abandonIdle()
            return
        }
        switch error {
        case let malformed as MalformedMessage:
            // Other codes are for responses that are right, and not taken.
            isMalformed = malformed.problem.code == 400
            partner.upstreamSent(malformed)
        case let closed as NIOHTTP2Errors.StreamClosed:
            // Before the exchange looks for another connection.
            if closed.errorCode == .refusedStream { connection?.wasRefused() }
            let isUnprocessed = closed.errorCode == .refusedStream || connection?.hasGivenUp(streamID) == true
            let isOurs = codec.stream?.resetCode(of: closed.streamID) != nil
            partner.upstreamReset(closed.errorCode, isOurs: isOurs, isUnprocessed: isUnprocessed)
            return
        case let error as IOError where error.errnoCode == ECONNRESET || error.errnoCode == EPIPE:
            partner.upstreamBroke(cause: .reset, message: "reset the connection before the response was complete")
        case _ where connection?.problem != nil: tellClosed(partner)
        default:
            partner.upstreamBroke(
                cause: .broken,
                message: "broke the connection before the response was complete (\(error))"
            )
        }
        close()
    }

    private func tellClosed(_ partner: ExchangeHandler) {
        let (cause, message) =
            connection?.problem ?? (.closed, "closed the connection before the response was complete")
        partner.upstreamBroke(cause: cause, message: message)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isStream, partner?.isReadWithheld == true {
            // The library may tell it while it writes the last content, which trailers must not overtake.
            context.eventLoop.assumeIsolated().execute { [self] in
                if channel.isWritable { partner?.upstreamBecameWritable() }
            }
        } else if channel.isWritable {
            partner?.upstreamBecameWritable()
        }
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        if let partner, !partner.takesResponse {
            isReadWithheld = true
        } else {
            context.read()
        }
    }

    // MARK: While idle

    func look(_ now: NIODeadline) { if now >= idleUntil { abandonIdle() } }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool {
        abandonIdle()
        return false
    }

    func makeRoom() { abandonIdle() }

    private func abandonIdle() {
        keeper?.remove(self)
        close()
    }
}
