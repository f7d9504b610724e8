import NIOCore
import NIOHTTP2
import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The upstream's end of an exchange: tells the exchange what the upstream sends, and writes what the exchange sends.
///
/// This class is a connection of HTTP/1.1, which has one exchange after another; its subclass `UpstreamStreamHandler` is a stream of HTTP/2.
class UpstreamHandler: ChannelDuplexHandler, Watched, Upstream {
    typealias InboundIn = MessagePart
    typealias OutboundIn = WirePart
    typealias OutboundOut = WirePart

    let key: UpstreamKey
    let peer: Peer
    let place: UpstreamPlace
    let channel: any Channel
    /// How long opening the connection took, for the first exchange on it; `nil` after that.
    var setUp: UpstreamSetUp?
    /// The pool, or the client's own store, that keeps it while it has no exchange.
    weak var keeper: (any UpstreamKeeper)?
    /// Whether a login was made on it that holds for all requests that follow: then it belongs to one client connection.
    private(set) var isBound = false
    private(set) var idleUntil = NIODeadline.distantFuture
    /// When it was kept.
    private var idleSince = NIODeadline.distantPast
    /// The configuration that it was connected by; `nil` for a stream, whose connection knows it.
    var madeBy: ProxyShared?
    /// Whether the connection carried an exchange before.
    private(set) var isReused: Bool
    /// Whether an exchange was put on it.
    private(set) var isUsed = false
    /// The exchange that uses it; `nil` while none does.
    var partner: ExchangeShell?

    private let codec: any UpstreamCodec
    private var context: ChannelHandlerContext?
    private var isReadWithheld = false
    /// Whether its last exchange is over, and it is closed once the upstream has the last of it.
    private var isLeaving = false
    /// Whether nothing more comes from the upstream.
    var isInputClosed = false

    init(
        key: UpstreamKey,
        codec: any UpstreamCodec,
        peer: Peer,
        place: UpstreamPlace,
        setUp: UpstreamSetUp?,
        channel: any Channel,
        isReused: Bool = false
    ) {
        self.key = key
        self.codec = codec
        self.peer = peer
        self.place = place
        self.channel = channel
        self.setUp = setUp
        self.isReused = isReused
    }

    var isStream: Bool { false }
    var streamID: Int? { nil }
    var mayLeaveEndUnsaid: Bool { true }
    /// The version spoken.
    var version: HTTPVersion { .http11 }
    var isWritable: Bool { channel.isWritable }

    // MARK: Its exchange

    /// Whether a request can be sent on it.
    func readiness(for subject: ExchangeSubject) -> UpstreamReadiness {
        subject.head.extendedProtocol == nil ? .ready : .unfit(.noExtendedConnect, "takes no extended CONNECT")
    }

    /// Puts an exchange on this connection; returns false where it has been closed meanwhile.
    func attach(_ exchange: ExchangeShell) -> Bool {
        guard channel.isActive, !isInputClosed else { return false }
        let head = exchange.subject.head
        partner = exchange
        isUsed = true
        if !isStream, BoundLogin.isMade(by: head.fields) { isBound = true }
        codec.expectResponse(to: head)
        return true
    }

    func release(from exchange: ExchangeShell) {
        let loop = exchange.loop
        // The end of a request whose response came early may have been written within this very read.
        flush()
        partner = nil
        isReused = true
        resumeRead()
        // The upstream may have ended its connection while its response waited for a rule.
        if exchange.isUpstreamReusable, isStream || !isInputClosed {
            keep(after: exchange)
        } else if exchange.isWebSocket {
            // The last frames may still be on their way out.
            isLeaving = true
            if isStream || isInputClosed {
                LeavingConnection.leave(channel, loop)
            } else {
                LeavingConnection.leaveReading(channel, loop)
            }
        } else {
            close()
        }
    }

    /// Gives the connection to where the next exchange finds it.
    func keep(after exchange: ExchangeShell) {
        if isBound { exchange.client.connection.bound.keep(self) } else { exchange.loop.pool.giveBack(self) }
    }

    func drop(_ code: HTTP2ErrorCode) {
        partner = nil
        reset(code)
        resumeRead()
    }

    func isNear(_ listeners: OwnListeners) -> Bool { place.isNear(listeners) }

    func look(_ progress: inout SocketProgress, _ now: NIODeadline) { progress.look(channel, stream: nil, now) }

    /// Does nothing: no other exchange is on it, and it is dropped.
    func wasSilent(since: NIODeadline) {}

    // MARK: From the exchange

    func sendHead(of exchange: ExchangeShell) {
        guard let route = exchange.subject.errand?.route else { return }
        let head = exchange.subject.head
        let sent =
            head.version == .http2
            ? HTTP1Translation.request(head, route: route)
            : HopByHop.request(
                head,
                target: route.originTarget,
                host: route.host,
                keepsUpgrade: head.asksForWebSocket
            )
        let isAsCame = head.version != .http2 && sent == head.raw && !exchange.isAmended
        exchange.tap.exchange.request.sentHead = isAsCame ? nil : sent
        write(.head(sent, head.framing))
    }

    func send(_ content: ByteBuffer) { write(.body(content)) }

    func sendEnd(_ trailers: ByteBuffer?) { write(.end(trailers)) }

    func endOutput() {
        flush()
        let channel = channel
        ConnectionEnd.whenWritten(channel) { channel.close(mode: .output, promise: nil) }
    }

    /// Writes a part of the request; `flush` sends it.
    final func write(_ part: WirePart) { context?.write(wrapOutboundOut(part), promise: nil) }

    final func flush() { context?.flush() }

    /// Closes the connection properly, since it is of no more use.
    func close() { ConnectionEnd.leave(channel) }

    /// Breaks the connection off; a stream's reset carries the code.
    func reset(_ code: HTTP2ErrorCode) { ConnectionEnd.reset(channel) }

    final func resumeRead() {
        guard isReadWithheld, let context, partner?.takesResponse != false else { return }
        isReadWithheld = false
        context.read()
    }

    // MARK: From the channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let partner else { return abandonIdle() }
        switch unwrapInboundIn(data) {
        case .response(let head): take(head, partner)
        case .body(let bytes): partner.upstreamSent(bytes)
        case .end(let trailers): partner.upstreamEnded(trailers)
        case .request: break
        }
    }

    /// Tells the head of a response.
    func take(_ head: ResponseHead, _ partner: ExchangeShell) {
        if !head.isInterim, BoundLogin.isAsked(by: head) { isBound = true }
        partner.upstreamSent(head)
    }

    func channelReadComplete(context: ChannelHandlerContext) { partner?.upstreamBurstEnded() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let extra as ExtraBytes: partner?.upstreamSent(extra)
        case ChannelEvent.inputClosed:
            isInputClosed = true
            if let partner { tellClosed(partner) } else { abandonIdle() }
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
        guard let partner else { return abandonIdle() }
        if let malformed = error as? MalformedMessage {
            partner.upstreamSent(malformed)
        } else {
            let (cause, message) = reason(for: error)
            partner.upstreamBroke(cause: cause, message: message, isWithinHead: codec.isWithinHead)
        }
        close()
    }

    /// Why the connection is over; the words follow the upstream's address.
    func reason(for error: any Error) -> (Cause, String) {
        if let error = error as? IOError, error.errnoCode == ECONNRESET || error.errnoCode == EPIPE {
            return (.reset, "reset the connection before the response was complete")
        }
        return (.broken, "broke the connection before the response was complete (\(error))")
    }

    /// Why the connection is over, where no error tells; the words follow the upstream's address.
    var closed: (Cause, String) { (.closed, "closed the connection before the response was complete") }

    private func tellClosed(_ partner: ExchangeShell) {
        let (cause, message) = closed
        partner.upstreamBroke(cause: cause, message: message, isWithinHead: codec.isWithinHead)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if channel.isWritable { partner?.upstreamTakesMore() }
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

    /// Has it kept by a keeper until its next exchange, for so long; closes it at once where dials wait for its place.
    func wait(in keeper: any UpstreamKeeper, for time: TimeAmount, _ watch: LoopWatch) {
        self.keeper = keeper
        idleSince = watch.now
        idleUntil = idleSince + time
        watch.add(self)
        if watch.isShort { makeRoom() }
    }

    func look(_ now: NIODeadline) { if now >= idleUntil { abandonIdle() } }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool {
        abandonIdle()
        return false
    }

    func makeRoom() {
        // Between a handshake and the first request, or two steps of a login, its client is about to use it.
        let isBetweenSteps = !isUsed || isBound
        if isBetweenSteps, let madeBy, madeBy.clock.now - idleSince < LoopWatch.stepLimit { return }
        abandonIdle()
    }

    /// Closes the connection, unless an exchange took it within the same look, or it waits for the upstream to take the last of one.
    private func abandonIdle() {
        guard partner == nil, !isLeaving else { return }
        keeper?.remove(self)
        close()
    }
}
