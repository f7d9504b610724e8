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
    let peer: Peer
    let route: Route
    /// What requests are recorded as going to, where the connection says where they go.
    let naming: Naming
    /// Why no request of this connection can be answered by the upstream: its certificate was bad.
    let refusal: UpstreamRefusal?
    /// The exchange that the one request of this connection replays, and whom to tell when it is recorded.
    let replay: Replay?

    /// Exchanges under way.
    private(set) var liveCount = 0
    /// When the last one ended.
    private(set) var idleSince = NIODeadline.now()

    /// A replay under way.
    struct Replay {
        var original: ExchangeID
        var recorded: (ExchangeID?) -> Void
    }

    init(
        loop: ProxyLoop,
        peer: Peer,
        route: Route,
        naming: Naming = .endpoint,
        refusal: UpstreamRefusal? = nil,
        replay: Replay? = nil
    ) {
        self.loop = loop
        self.peer = peer
        self.route = route
        self.naming = naming
        self.refusal = refusal
        self.replay = replay
    }

    /// An exchange begins.
    func exchangeBegan() { liveCount += 1 }

    /// An exchange ended.
    func exchangeEnded() {
        liveCount -= 1
        idleSince = .now()
    }
}
