import NIOCore
import Traffic

/// What all exchanges of one client connection have in common.
final class ClientConnection {
    /// Where requests on this connection go.
    enum Route {
        /// Each says so itself, in absolute-form, or asks for a tunnel.
        case explicit
        /// To the authority of the tunnel they came in.
        case inside(Scheme, UpstreamKey)
    }

    let loop: ProxyLoop
    /// The connection as it was when it was accepted, or when its TLS was settled.
    private var known: Peer
    /// Who is at the other end; `nil` for a client that is not on this machine.
    let origin: ClientOrigin?
    /// Whether the client is a program of this machine: it asks from a loopback address, or from the one that it reaches us by.
    let isFromThisMachine: Bool
    let route: Route
    /// What requests are recorded as going to, where the connection says where they go.
    let naming: Naming
    /// Why the upstream could not be had when the connection was set up.
    private var refusal: UpstreamRefusal?
    /// The exchange that the one request of this connection replays, and whom to tell when it is recorded.
    let replay: Replay?

    /// Upstream connections that are this one's alone.
    let bound: BoundUpstreams
    /// What its streams hold for the record.
    let holdings = ClientHoldings()
    /// When the last exchange ended.
    private(set) var idleSince: NIODeadline

    /// A replay under way.
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
        idleSince = loop.now
        known = peer
        self.origin = origin
        self.isFromThisMachine = isFromThisMachine
        self.route = route
        self.naming = naming
        self.refusal = refusal
        self.replay = replay
    }

    /// Where its requests may go, unless the user has named their upstream.
    var reach: UpstreamReach {
        isFromThisMachine || loop.configuration.isThisMachineOpen ? .anywhere : .beyondThisMachine
    }

    /// A dial that is made for it: the look-up of a name may count as its client's.
    func newDial() -> Dial { Dial(for: isFromThisMachine ? nil : known.network) }

    /// The connection as the record describes it, with what is known of the program at its other end by now.
    var peer: Peer {
        if known.process == nil, let process = origin?.process { known = known.of(process) }
        return known
    }

    /// Whether the record of an exchange has to wait for who is at the other end.
    var isAwaited: Bool { origin?.isAwaited ?? false }

    /// An exchange ended.
    func exchangeEnded() { idleSince = loop.now }

    /// Why a request of this connection is not sent to the upstream: each, where its certificate was bad.
    ///
    /// Any other reason may be gone by the next request, for which the upstream is dialled.
    func takeRefusal() -> UpstreamRefusal? {
        guard let known = refusal else { return nil }
        if !known.isOfCertificate { refusal = nil }
        return known
    }

    /// Calls back once the record of an exchange may end: that of the first waits a moment for who is at the other end.
    func whenKnown(_ end: @escaping () -> Void) {
        guard let origin, isAwaited else { return end() }
        let lane = loop.lane
        lane.awaitedCount += 1
        origin.whenKnown {
            lane.awaitedCount -= 1
            end()
        }
    }

    /// What its ClientHello says of it.
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

    /// Records what is over and had no bodies.
    ///
    /// - Parameters:
    ///   - exchange: what is known of it now.
    ///   - complete: says what follows from who is at the other end.
    ///   - then: tells the client, once the row is committed or is not waited for any longer; `nil` where the client has had its end.
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
