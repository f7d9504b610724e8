import Atomics
import Logging
import NIOCore
import NIOSSL
import Traffic
import Trust

/// What the whole proxy shares, immutable or safe from any loop.
final class ProxyShared: Sendable {
    let configuration: ProxyConfiguration
    /// The root that clients are to trust.
    let rootDER: [UInt8]
    let interception: InterceptionContexts
    let upstreamTLS: UpstreamTLS
    let listeners: OwnListeners
    let resolver: NameResolver
    let memory: HandshakeMemory
    let passThrough: PassThroughList
    let trusting: TrustingClients
    /// Which clients sent a request to which host a moment ago.
    let asking: TrustingClients
    let programs: TrustingPrograms
    let origins: OriginFinder
    let connections: ConnectionCount
    let clock: ProxyClock
    let logger: Logger
    private let tokens: ManagedAtomic<UInt64>
    /// The exchanges whose clients had their end before the record did.
    let late: LateExchanges

    init(
        configuration: ProxyConfiguration,
        rootDER: [UInt8],
        interception: InterceptionContexts,
        upstreamTLS: UpstreamTLS,
        listeners: OwnListeners,
        logger: Logger
    ) {
        self.configuration = configuration
        self.rootDER = rootDER
        self.interception = interception
        self.upstreamTLS = upstreamTLS
        self.listeners = listeners
        self.logger = logger
        clock = configuration.clock
        passThrough = PassThroughList(configuration.passThrough)
        trusting = TrustingClients(clock: configuration.clock)
        asking = TrustingClients(clock: configuration.clock)
        programs = TrustingPrograms()
        origins = OriginFinder(clock: configuration.clock)
        tokens = ManagedAtomic(0)
        late = LateExchanges(logger: logger)
        resolver = NameResolver(
            overrides: configuration.nameOverrides,
            lookUps: NameLookUps(configuration.lookUp, memory: configuration.nameMemory, clock: configuration.clock),
            limit: configuration.connectTimeout
        )
        connections = ConnectionCount(limit: configuration.connectionLimitCount)
        memory = HandshakeMemory(lifetime: configuration.handshakeMemory, clock: configuration.clock)
    }

    /// What follows another configuration: the same listeners, connections and numbers, and nothing of what was known of upstreams.
    init(
        following before: ProxyShared,
        configuration: ProxyConfiguration,
        rootDER: [UInt8],
        interception: InterceptionContexts,
        upstreamTLS: UpstreamTLS
    ) {
        self.configuration = configuration
        self.rootDER = rootDER
        self.interception = interception
        self.upstreamTLS = upstreamTLS
        listeners = before.listeners
        logger = before.logger
        connections = before.connections
        clock = before.clock
        tokens = before.tokens
        late = before.late
        // Whoever trusted another root need not trust this one.
        let isSameRoot = interception === before.interception
        trusting = isSameRoot ? before.trusting : TrustingClients(clock: before.clock)
        asking = isSameRoot ? before.asking : TrustingClients(clock: before.clock)
        programs = isSameRoot ? before.programs : TrustingPrograms()
        origins = before.origins
        passThrough = PassThroughList(configuration.passThrough, following: before.passThrough)
        resolver = before.resolver.following(configuration)
        memory = HandshakeMemory(lifetime: configuration.handshakeMemory, clock: before.clock)
    }

    /// Whether what goes there is never read: by where it goes, or by the server name of its ClientHello.
    func isPassedThrough(_ destination: Destination, serverName: String? = nil) -> Bool {
        guard !destination.isAlwaysHTTP, !isLocal(destination.endpoint) else { return false }
        let host = destination.endpoint.host
        if let serverName, serverName != host, passThrough.contains(serverName) { return true }
        return passThrough.contains(host)
    }

    /// Whether a client may come in: one of this machine, or of a network that is on the list where there is one.
    func admits(_ address: SocketAddress?) -> Bool {
        guard !configuration.clientNetworks.isEmpty, let address, address.plainBytes != nil else { return true }
        return address.isLoopback || configuration.clientNetworks.contains { $0.contains(address) }
    }

    /// A number that no other exchange or connection of this run has.
    func nextToken() -> UInt64 { tokens.wrappingIncrementThenLoad(ordering: .relaxed) }
}

/// What one event loop has of its own: its way to the record, its upstream connections, the exchanges on it.
///
/// Used on the loop only.
final class ProxyLoop {
    let loop: any EventLoop
    /// What began before another configuration came goes on with the one it began with, as far as it has taken from it.
    private(set) var shared: ProxyShared
    let lane: CaptureLane
    let pool: UpstreamPool
    /// The exchanges and connections that need to be looked at as time passes.
    let watch: LoopWatch
    let prints = HelloPrints()
    /// Room for the effects of one fact, which the exchanges on the loop lend each other; `nil` while it is lent.
    var spareEffects: [Effect]? = []

    init(loop: any EventLoop, shared: ProxyShared, sink: any CaptureSink, budget: CaptureBudget) {
        self.loop = loop
        self.shared = shared
        lane = CaptureLane(loop: loop, sink: sink, budget: budget)
        watch = LoopWatch(loop: loop, delay: shared.configuration.pendingDelay, clock: shared.clock)
        pool = UpstreamPool(loop: loop, shared: shared, watch: watch)
    }

    var configuration: ProxyConfiguration { shared.configuration }

    /// The time now, as deadlines have it.
    var now: NIODeadline { watch.now }

    /// Closes what is idle; returns how many exchanges and refusals are open, or 1 when there is none of these and something is on its way to the record.
    ///
    /// Who waits for a commit is open and on its way too, and counts once.
    func drain() -> Int {
        pool.closeAll()
        return max(watch.drain(), lane.isIdle ? 0 : 1)
    }

    /// Serves what begins from now on by another configuration.
    func follow(_ shared: ProxyShared) {
        self.shared = shared
        pool.follow(shared)
    }
}
