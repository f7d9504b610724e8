import NIOCore
import Traffic

/// One end of a tunnel: writes what it reads to its partner, and reads only as fast as the partner can write.
final class TunnelHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    weak var partner: TunnelHandler?
    private(set) var isInputClosed = false
    /// Whether the socket has sent everything, and its end.
    private var isOutputClosed = false
    private let tunnel: Tunnel
    private let side: MessageSide
    private var context: ChannelHandlerContext?
    private var isReadWithheld = false
    /// How the other end takes what the socket holds; `nil` where the socket held nothing when it was asked.
    private var unread: SocketProgress?
    /// Holds back what it reads; `nil` where rules slow nothing.
    private let pace: TunnelPace?
    /// Whether all has been read, and some of it waits for its time.
    private var isEnding = false
    /// Whether its connection broke behind that.
    private var isBroken = false
    /// Whether its connection is over: nothing can be written to it any more.
    private var isGone = false

    init(tunnel: Tunnel, side: MessageSide, pace: TunnelPace?) {
        self.tunnel = tunnel
        self.side = side
        self.pace = pace
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Whether it withholds a read, since its partner cannot write more for now.
    var isStalled: Bool { isReadWithheld && !isInputClosed }

    /// Whether it can take more from its partner now.
    private var takesMore: Bool { !isGone && context?.channel.isWritable != false }

    /// When the other end last took something of what the socket holds, the first of several looks among that; `nil` where the socket holds nothing.
    func unreadSince(_ now: NIODeadline) -> NIODeadline? {
        guard let channel = context?.channel else { return nil }
        if unread == nil, SocketProgress.heldBytes(of: channel) ?? 0 == 0 { return nil }
        var progress = unread ?? SocketProgress(since: now)
        progress.look(channel, stream: nil, now)
        unread = progress
        return progress.since
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What its partner cannot get any more has not passed.
        guard partner?.isGone != true else { return }
        let bytes = unwrapInboundIn(data)
        tunnel.passed(side, bytes)
        if let pace { pace.take(.body(bytes)) } else { write(bytes) }
    }

    private func write(_ bytes: ByteBuffer) { partner?.context?.write(wrapOutboundOut(bytes), promise: nil) }

    func channelReadComplete(context: ChannelHandlerContext) {
        if pace == nil { partner?.context?.flush() } else { passOn() }
    }

    /// Passes on what has waited for its time.
    private func passOn() {
        guard let pace else { return }
        var hasPassed = false
        let give = { (part: TunnelPace.Part) in
            hasPassed = true
            switch part {
            case .body(let bytes): self.write(bytes)
            case .end: self.endInput()
            }
        }
        pace.pass(give) { [weak self] in self?.passOn() }
        guard hasPassed else { return }
        partner?.context?.flush()
        tunnel.resumed()
        if partner?.takesMore != false { resumeRead() }
    }

    /// Has everything pass at once from here on, since the proxy stops.
    func lift() {
        guard let pace else { return }
        pace.lift()
        passOn()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { partner?.resumeRead() }
    }

    func read(context: ChannelHandlerContext) {
        if pace?.isFull != true, partner?.takesMore != false {
            context.read()
        } else {
            isReadWithheld = true
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .some(ChannelEvent.inputClosed) = event as? ChannelEvent, !isInputClosed, !endsLater() else {
            return
        }
        endInput()
    }

    /// Whether the end of what it reads has to wait for what was read before.
    private func endsLater() -> Bool {
        guard let pace, !isEnding, !pace.isEmpty else { return isEnding }
        isEnding = true
        pace.take(.end)
        passOn()
        return true
    }

    private func endInput() {
        guard !isInputClosed else { return }
        isInputClosed = true
        partner?.context?.flush()
        guard !isBroken else { return tunnel.ended(broken: side, isBreak: false) }
        // Where the other side is done too, the tunnel ends once what was written is sent.
        if let partner, !partner.isInputClosed, !partner.isEnding { partner.closeOutput() }
        tunnel.ended(broken: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isGone = true
        if isInputClosed {
            // It ended its side, all of which has passed, and takes nothing of the other side's any more.
            tunnel.ended(broken: side, isBreak: false)
        } else if isEnding {
            // Some of what it sent waits for its time; the partner is not read meanwhile.
            isBroken = !isOutputClosed
        } else if isOutputClosed {
            // Once its output has ended, the end of its input closes a channel at once.
            if !endsLater() { endInput() }
        } else {
            isInputClosed = true
            tunnel.ended(broken: side)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What ended its side has sent everything, and the end of its connection follows.
        guard !isInputClosed, !isEnding else { return }
        isInputClosed = true
        tunnel.ended(broken: side)
    }

    func resumeRead() {
        guard isReadWithheld, pace?.isFull != true else { return }
        isReadWithheld = false
        tunnel.resumed()
        context?.read()
    }

    /// Closes the output, since the other side has sent everything.
    func closeOutput() {
        guard let context else { return }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { [self] result in
            // Where its input has ended meanwhile, the library closes all of it, once everything was written.
            if case .failure(let error) = result, error as? ChannelError != .outputClosed { return }
            isOutputClosed = true
        }
        context.close(mode: .output, promise: promise)
    }

    func close(afterBreak: Bool) {
        pace?.stop()
        guard let channel = context?.channel else { return }
        if afterBreak {
            ConnectionEnd.reset(channel)
        } else if isInputClosed {
            LeavingConnection.leave(channel, tunnel.loop)
        } else {
            LeavingConnection.leaveReading(channel, tunnel.loop)
        }
    }
}
