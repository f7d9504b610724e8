import NIOCore
import Traffic

/// One end of a tunnel: writes what it reads to its partner, and reads only as fast as the partner can write.
final class TunnelHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    weak var partner: TunnelHandler?
    private(set) var isInputClosed = false
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

    init(tunnel: Tunnel, side: MessageSide, pace: TunnelPace?) {
        self.tunnel = tunnel
        self.side = side
        self.pace = pace
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Whether it withholds a read, since its partner cannot write more for now.
    var isStalled: Bool { isReadWithheld && !isInputClosed }

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
        if partner?.context?.channel.isWritable != false { resumeRead() }
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
        if pace?.isFull != true, partner?.context?.channel.isWritable != false {
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
        if partner?.isInputClosed == false { partner?.closeOutput() }
        tunnel.ended(broken: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        // Once its output has ended, the end of its input closes a channel at once; a break comes as an error first.
        let isProper = isInputClosed || isOutputClosed
        if isProper || isEnding, endsLater() { return }
        isInputClosed = true
        tunnel.ended(broken: isProper ? nil : side)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The other end had sent everything, some of which waits for its time.
        if isEnding, !isInputClosed {
            isBroken = true
            return
        }
        // Behind a proper end nothing is missing, though the partner may have bytes yet to send.
        let isBreak = !isInputClosed
        isInputClosed = true
        tunnel.ended(broken: side, isBreak: isBreak)
    }

    func resumeRead() {
        guard isReadWithheld, pace?.isFull != true else { return }
        isReadWithheld = false
        tunnel.resumed()
        context?.read()
    }

    /// Closes the output, since the other side has sent everything.
    func closeOutput() {
        isOutputClosed = true
        context?.close(mode: .output, promise: nil)
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
