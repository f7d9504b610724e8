import NIOCore
import Traffic

/// One client connection: what all exchanges on it have in common.
final class ClientConnection {
    /// Where requests on this connection go.
    enum Route {
        /// Each names its own destination, in absolute-form, or asks for a tunnel.
        case explicit
        /// All go to the authority of the tunnel that they came in.
        case inside(Scheme, UpstreamKey)
    }

    let loop: ProxyLoop
    /// The connection as it was when it was accepted, or when its TLS was settled.
    private var known: Peer
    /// The search for the program at the other end; `nil` for a client on another machine.
    let origin: ClientOrigin?
    /// Whether the client is a program of this machine: its address is loopback's, or the one that it connected to.
    let isFromThisMachine: Bool
    let route: Route
    /// The host that requests are recorded with, where the connection determines where they go.
    let naming: Naming
    /// Why the upstream was refused when the connection was set up; `nil` where it was not.
    private var refusal: UpstreamRefusal?
    /// The exchange that the only request of this connection replays, and the callback for when that is recorded.
    let replay: Replay?

    /// Upstream connections that only this client connection uses.
    let bound: BoundUpstreams
    /// The memory that its streams hold for the record.
    let holdings = ClientHoldings()

    /// A replay that is under way.
    struct Replay {
        var original: ExchangeID
        var recorded: (ExchangeID?) -> Void
    }

    init(
        loop: ProxyLoop,
        peer: Peer,
        origin: ClientOrigin? = nil,
        isFromThisMachine: Bool,
        route: Route,
        naming: Naming = .endpoint,
        refusal: UpstreamRefusal? = nil,
        replay: Replay? = nil
    ) {
        self.loop = loop
        bound = BoundUpstreams(loop)
        known = peer
        self.origin = origin
        self.isFromThisMachine = isFromThisMachine
        self.route = route
        self.naming = naming
        self.refusal = refusal
        self.replay = replay
    }

    /// Where its requests may go; an upstream that the user has named is always allowed.
    var reach: UpstreamReach {
        isFromThisMachine || loop.configuration.isThisMachineOpen ? .anywhere : .beyondThisMachine
    }

    /// A new dial on behalf of this connection; name look-ups count towards its client's share.
    func newDial() -> Dial { Dial(for: isFromThisMachine ? nil : known.network) }

    /// The connection as the record describes it, with the program at its other end as far as that is known by now.
    var peer: Peer {
        if known.process == nil, let process = origin?.process { known = known.of(process) }
        return known
    }

    /// Whether the record of an exchange has to wait for the name of the program at the other end.
    var isAwaited: Bool { origin?.isAwaited ?? false }

    /// Why a request is not sent to the upstream, which was refused when the connection was set up; `nil` where the request is sent.
    ///
    /// A bad certificate is told to every request, and any other obstacle to one: it may be gone by the next, which dials the upstream again.
    func takeRefusal() -> UpstreamRefusal? {
        guard let known = refusal else { return nil }
        if !known.isOfCertificate { refusal = nil }
        return known
    }

    /// Calls back once the record of an exchange may end; the first exchange waits a moment for the name of the program at the other end.
    func whenKnown(_ end: @escaping () -> Void) {
        guard let origin, isAwaited else { return end() }
        let lane = loop.lane
        lane.awaitedCount += 1
        origin.whenKnown {
            lane.awaitedCount -= 1
            end()
        }
    }

    /// Notes what the client's ClientHello tells of it.
    func greeted(_ hello: ClientHello) {
        let print = loop.prints.of(hello)
        known = Peer(
            token: known.token,
            address: known.address,
            tls: known.tls,
            process: known.process,
            hello: print.fingerprint,
            runtime: print.runtime
        )
    }

    /// Records an exchange that is over and had no bodies.
    ///
    /// - Parameters:
    ///   - exchange: the record so far.
    ///   - complete: adds what depends on the program at the other end.
    ///   - then: tells the client, once the row is committed or the wait for that is over; `nil` where the client has had its end.
    func record(
        _ exchange: Exchange,
        complete: @escaping (inout Exchange) -> Void = { _ in },
        then: (() -> Void)? = nil
    ) {
        let hold = then.map { CommitHold(loop, then: $0) }
        whenKnown { [self] in
            var tap = CaptureTap(exchange, token: loop.shared.nextToken(), bodyLimitBytes: 0)
            tap.exchange.client = peer
            complete(&tap.exchange)
            tap.end(loop.lane) { hold?.end(isRecorded: $0 != nil) }
        }
    }
}
