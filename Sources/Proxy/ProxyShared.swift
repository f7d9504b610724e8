import Atomics
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Traffic

/// What all event loops share, immutable or safe to use from any of them.
final class ProxyShared: Sendable {
    let configuration: ProxyConfiguration
    /// The root that clients are to trust, DER.
    let rootDER: [UInt8]
    let interception: InterceptionContexts
    let upstreamTLS: UpstreamTLS
    let listeners: OwnListeners
    let resolver: NameResolver
    let memory: HandshakeMemory
    let passThrough: PassThroughList
    let trusting: TrustingClients
    /// The clients that sent a request to a host a moment ago.
    let asking: TrustingClients
    let programs: TrustingPrograms
    let origins: OriginFinder
    let connections: ConnectionCount
    let upstreams: UpstreamCount
    let clock: ProxyClock
    let logger: Logger
    private let tokens: ManagedAtomic<UInt64>
    /// The exchanges whose clients had their end before the record did.
    let late: LateExchanges
    /// Counts the bodies that are kept because rules look at them.
    let ruleBodies: RuleBodies
    /// Edits bodies where that takes time.
    let workers: BodyWorkers
    /// The rules in force; `nil` for none.
    let ruling: NIOLockedValueBox<RuleList?>
    /// Gives the answers of rules whose content is not in the rules themselves.
    let ruleContents: (any RuleContents)?

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
        origins = OriginFinder(
            table: ProcessTable(root: configuration.programsRoot),
            known: KnownPrograms(root: configuration.programsRoot),
            clock: configuration.clock
        )
        tokens = ManagedAtomic(0)
        late = LateExchanges(logger: logger)
        ruleBodies = RuleBodies(
            bodyLimitBytes: configuration.ruleBodyLimitBytes,
            limitBytes: configuration.ruleBodiesLimitBytes
        )
        workers = BodyWorkers()
        ruleContents = configuration.ruleContents
        ruling = NIOLockedValueBox(configuration.rules)
        resolver = NameResolver(
            overrides: configuration.nameOverrides,
            lookUps: NameLookUps(configuration.lookUp, memory: configuration.nameMemory, clock: configuration.clock),
            limit: configuration.connectTimeout
        )
        connections = ConnectionCount(limit: configuration.connectionLimitCount)
        upstreams = UpstreamCount(limit: configuration.upstreamLimitCount)
        memory = HandshakeMemory(lifetime: configuration.handshakeMemory, clock: configuration.clock)
    }

    /// What is shared under another configuration: listeners, connections and numbers stay, and what was known of upstreams is forgotten.
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
        upstreams = before.upstreams
        clock = before.clock
        tokens = before.tokens
        late = before.late
        ruleBodies = before.ruleBodies
        workers = before.workers
        ruleContents = before.ruleContents
        ruling = before.ruling
        // A client that trusted another root need not trust this one.
        let isSameRoot = interception === before.interception
        trusting = isSameRoot ? before.trusting : TrustingClients(clock: before.clock)
        asking = isSameRoot ? before.asking : TrustingClients(clock: before.clock)
        programs = isSameRoot ? before.programs : TrustingPrograms()
        origins = before.origins
        passThrough = PassThroughList(configuration.passThrough, following: before.passThrough)
        resolver = before.resolver.following(configuration)
        memory = HandshakeMemory(lifetime: configuration.handshakeMemory, clock: before.clock)
    }

    /// Whether what goes there is never read, by its destination or by the server name of its ClientHello.
    func isPassedThrough(_ destination: Destination, serverName: String? = nil) -> Bool {
        guard !destination.isAlwaysHTTP, !isLocal(destination.endpoint) else { return false }
        let host = destination.endpoint.host
        if let serverName, serverName != host, passThrough.contains(serverName) { return true }
        return passThrough.contains(host)
    }

    /// Whether a client may come in: any, unless networks are configured; then a client of this machine or of one of these networks.
    func admits(_ address: SocketAddress?) -> Bool {
        guard !configuration.clientNetworks.isEmpty, let address, address.plainBytes != nil else { return true }
        return address.isLoopback || configuration.clientNetworks.contains { $0.contains(address) }
    }

    /// A number that no other exchange or connection of this run has.
    func nextToken() -> UInt64 { tokens.wrappingIncrementThenLoad(ordering: .relaxed) }
}
