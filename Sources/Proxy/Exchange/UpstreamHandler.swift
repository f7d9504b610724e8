import NIOCore
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
    let channel: any Channel
    /// How the connection came about, for the first exchange on it; then `nil`.
    var setUp: (dns: Int64?, connect: Int64, tls: Int64?)?
    /// The pool that holds it while no exchange is on it.
    weak var pool: UpstreamPool?
    var idleUntil = NIODeadline.distantFuture
    /// Whether an exchange was carried before.
    private(set) var isReused = false

    private let codec: HTTP1Codec
    private var partner: ExchangeHandler?
    private var context: ChannelHandlerContext?
    private var isReadWithheld = false
    private var isInputClosed = false

    init(
        key: UpstreamKey,
        codec: HTTP1Codec,
        peer: Peer,
        dialed: DialedUpstream,
        handshake: Int64?,
        channel: any Channel
    ) {
        self.key = key
        self.codec = codec
        self.peer = peer
        self.channel = channel
        setUp = (dialed.dns, dialed.connect, handshake)
    }

    // MARK: From the partner

    /// Puts an exchange on this connection; false when it has been closed meanwhile.
    func attach(_ partner: ExchangeHandler, method: String) -> Bool {
        guard channel.isActive, !isInputClosed else { return false }
        self.partner = partner
        codec.expectResponse(to: method)
        return true
    }

    /// Takes the exchange off; afterwards nothing of this connection reaches it.
    func detach() {
        partner = nil
        isReused = true
        resumeRead()
    }

    /// Writes a part of the request; `flush` sends it.
    func send(_ part: WirePart) { context?.write(wrapOutboundOut(part), promise: nil) }

    func flush() { context?.flush() }

    /// Whether more of the request may be written.
    var isWritable: Bool { channel.isWritable }

    /// Closes the connection properly.
    func close() { channel.close(promise: nil) }

    /// Breaks the connection off.
    func reset() { ConnectionEnd.reset(channel) }

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
                partner.upstreamBroke(
                    cause: "closed",
                    message: "closed the connection before the response was complete"
                )
            } else {
                abandonIdle()
            }
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isInputClosed = true
        partner?.upstreamBroke(cause: "closed", message: "closed the connection before the response was complete")
        pool?.remove(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isInputClosed = true
        guard let partner else {
            abandonIdle()
            return
        }
        switch error {
        case let malformed as MalformedMessage: partner.upstreamSent(malformed)
        case let error as IOError where error.errnoCode == ECONNRESET || error.errnoCode == EPIPE:
            partner.upstreamBroke(cause: "reset", message: "reset the connection before the response was complete")
        default:
            partner.upstreamBroke(
                cause: "broken",
                message: "broke the connection before the response was complete (\(error))"
            )
        }
        channel.close(promise: nil)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if channel.isWritable { partner?.upstreamBecameWritable() }
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

    private func abandonIdle() {
        pool?.remove(self)
        close()
    }
}
