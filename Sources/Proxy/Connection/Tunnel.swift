import NIOCore
import Traffic

/// A recorded tunnel: two channels whose bytes are relayed unread.
final class Tunnel: Watched {
    private let connection: ClientConnection
    private let endpoint: Endpoint
    private let place: UpstreamPlace
    private var tap: CaptureTap
    private var client: TunnelHandler?
    private var upstream: TunnelHandler?
    /// How rules slow it; `nil` where none does.
    private let pacing: RulePacing?
    private let began: NIODeadline
    private let token: UInt64
    private var active: NIODeadline
    private var isOver = false
    /// Where its client might go at the last look.
    private var reach: UpstreamReach

    /// The loop that both sides run on.
    var loop: ProxyLoop { connection.loop }

    /// - Parameters:
    ///   - connection: the client's.
    ///   - endpoint: where the tunnel goes.
    ///   - request: the head of the CONNECT.
    ///   - dialed: the connection there.
    ///   - started: when the CONNECT came, microseconds since 1970.
    init(connection: ClientConnection, endpoint: Endpoint, request: ByteBuffer, dialed: DialedUpstream, started: Int64)
    {
        self.connection = connection
        self.endpoint = endpoint
        place = dialed.place
        token = connection.loop.shared.nextToken()
        began = connection.loop.now
        active = began
        reach = connection.reach
        var exchange = Exchange(
            timeline: Timeline(started: started),
            method: "CONNECT",
            scheme: nil,
            host: endpoint.host,
            port: endpoint.port,
            target: endpoint.description,
            request: Message(head: request),
            client: connection.peer
        )
        exchange.version = .http11
        exchange.timeline.dns = dialed.dns
        exchange.timeline.connect = dialed.connect
        exchange.upstream = Peer(token: connection.loop.shared.nextToken(), address: dialed.address, tls: nil)
        exchange.response = Message(head: ByteBuffer())
        let slowed = connection.paceOfTunnel(to: endpoint)
        exchange.rules = slowed?.uses ?? []
        pacing = slowed?.pacing
        tap = CaptureTap(exchange, token: token, bodyLimitBytes: 0)
    }

    /// Joins the two channels and starts relaying.
    ///
    /// - Throws: the library's error where one of them has closed meanwhile.
    func join(client: any Channel, upstream: any Channel) throws {
        guard upstream.isActive else { throw ChannelError.ioOnClosedChannel }
        let clientSide = handler(.request)
        let upstreamSide = handler(.response)
        clientSide.partner = upstreamSide
        upstreamSide.partner = clientSide
        self.client = clientSide
        self.upstream = upstreamSide
        try upstream.pipeline.syncOperations.addHandler(upstreamSide)
        try client.pipeline.syncOperations.addHandler(clientSide)
        try upstream.syncOptions?.setOption(.autoRead, value: true)
        loop.watch.add(self)
        loop.watch.soon(self, exchange: token, now: loop.now)
        upstream.read()
    }

    private func handler(_ side: MessageSide) -> TunnelHandler {
        TunnelHandler(tunnel: self, side: side, pace: pacing.map { TunnelPace($0, side, loop) })
    }

    /// Counts bytes that pass.
    func passed(_ side: MessageSide, _ bytes: ByteBuffer) {
        active = loop.now
        tap.body(side, bytes, loop.lane)
    }

    /// Notes that a side takes more again; what the other side has sent meanwhile is still to be read, so the tunnel is not idle.
    func resumed() { active = loop.now }

    /// Notes that one direction ended, or that a side broke; when both ended, or one broke, the tunnel is over and recorded.
    ///
    /// - Parameters:
    ///   - broken: the side that broke; `nil` where one ended properly.
    ///   - isBreak: whether the other side may have missed bytes of it.
    func ended(broken: MessageSide?, isBreak: Bool = true) {
        guard let broken else {
            if client?.isInputClosed == true, upstream?.isInputClosed == true { end(nil) }
            return
        }
        let who = broken == .request ? "client" : "upstream"
        end("The \(who)'s connection broke before the tunnel was closed.", isBreak: isBreak)
    }

    /// Ends the tunnel and records it.
    ///
    /// - Parameters:
    ///   - warning: why it ends; `nil` where its sides have ended it.
    ///   - isBreak: whether a side may have missed bytes; its connection is reset then, which shows it.
    private func end(_ warning: String?, isBreak: Bool = false) {
        guard !isOver else { return }
        isOver = true
        loop.watch.remove(self)
        tap.exchange.outcome = .tunnelled
        if let warning { tap.exchange.warnings.append(warning) }
        tap.exchange.timeline.duration = (loop.now - began).microseconds
        connection.whenKnown { [self] in
            tap.exchange.client = connection.peer
            tap.end(loop.lane) { _ in }
        }
        client?.close(afterBreak: isBreak)
        upstream?.close(afterBreak: isBreak)
        client = nil
        upstream = nil
    }

    func look(_ now: NIODeadline) {
        tap.refresh(loop.lane)
        if isForbidden() {
            let warning = "Its client may not be connected to this machine any more, and the tunnel was closed."
            return end(warning, isBreak: true)
        }
        let limit = loop.configuration.tunnelIdleTimeout
        guard now - active >= limit else { return }
        end("Nothing passed for \(limit.text), and the tunnel was closed.", isBreak: isStalled)
    }

    /// Whether bytes of one side may be unread, since the other side takes nothing for now.
    private var isStalled: Bool { client?.isStalled == true || upstream?.isStalled == true }

    /// When bytes last passed, or were taken from a socket that holds them; the first look of a proxy that stops counts as such where one does.
    private var takenSince: NIODeadline {
        let now = loop.now
        return [client, upstream].compactMap { $0?.unreadSince(now) }.reduce(active, max)
    }

    /// Whether the tunnel leads to this machine, where its client was allowed until now and is not any more.
    private func isForbidden() -> Bool {
        let before = reach
        reach = connection.reach
        guard before == .anywhere, reach == .beyondThisMachine else { return false }
        return place.isNear(loop.shared.listeners)
    }

    func drain() -> Bool {
        for side in [client, upstream] { side?.lift() }
        guard !isOver else { return false }
        guard !isStalled, loop.now - takenSince >= loop.configuration.drainRestTime else { return true }
        end("The proxy was stopped, and the tunnel was closed.")
        return false
    }

    func cut() -> Bool {
        guard !isOver else { return false }
        end("The proxy was stopped while bytes passed, and the tunnel was broken off.", isBreak: true)
        return true
    }

    func due(_ exchange: UInt64) {
        guard !isOver else { return }
        tap.exchange.client = connection.peer
        tap.open(loop.lane)
    }
}
