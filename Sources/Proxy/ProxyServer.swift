import Foundation
package import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import ServiceLifecycle
package import Traffic
package import Trust

/// The proxy: listens, and relays every exchange while telling the sink what passed.
package final class ProxyServer: Sendable {
    /// How long the recording of what was broken off may take.
    private static let recordTimeout = TimeAmount.seconds(2)
    /// How long writing the last lines of the key log may take.
    private static let keyLogTimeout = TimeAmount.seconds(1)

    private let group: MultiThreadedEventLoopGroup
    let loops: [NIOLoopBound<ProxyLoop>]
    let current: NIOLockedValueBox<ProxyShared>
    let keyLog: KeyLog?
    let budget: CaptureBudget

    /// The configuration, and what depends on it, for what begins now.
    var shared: ProxyShared { current.withLockedValue { $0 } }

    /// - Parameters:
    ///   - configuration: limits, timeouts, address.
    ///   - authority: signs what clients are shown.
    ///   - sink: is told what passes.
    ///   - listeners: the ports that are never connected to; the proxy adds its own.
    ///   - logger: for what concerns no exchange.
    /// - Throws: `ProxyStartError`, or what TLS says of its material.
    package init(
        configuration: ProxyConfiguration,
        authority: CertificateAuthority,
        sink: any CaptureSink,
        listeners: OwnListeners,
        logger: Logger
    ) throws {
        let keyLog = try configuration.keyLogFile.map { try KeyLog(path: $0, logger: logger) }
        self.keyLog = keyLog
        let shared = ProxyShared(
            configuration: configuration,
            rootDER: authority.root.der,
            interception: try InterceptionContexts(authority: authority, keyLog: keyLog),
            upstreamTLS: try UpstreamTLS(
                configuration: configuration,
                ownRootDER: authority.root.der,
                keyLog: keyLog
            ),
            listeners: listeners,
            logger: logger
        )
        current = NIOLockedValueBox(shared)
        group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        let budget = CaptureBudget(limitBytes: configuration.captureLimitBytes)
        self.budget = budget
        loops = try group.makeIterator().map { loop in
            try loop.submit {
                NIOLoopBound(ProxyLoop(loop: loop, shared: shared, sink: sink, budget: budget), eventLoop: loop)
            }.wait()
        }
    }

    /// Starts to listen on every address of the configuration; returns them with the ports that the system gave.
    ///
    /// The proxy serves until `shutdown`.
    ///
    /// - Throws: `ProxyStartError` when an address cannot be had; then none is listened on.
    package func listen() async throws -> [BoundListener] {
        let configuration = shared.configuration
        let modes =
            configuration.listenModes.isEmpty
            ? [ListenMode(.explicit, host: configuration.host, port: configuration.port)] : configuration.listenModes
        var bound: [BoundListener] = []
        do {
            for mode in modes { bound.append(try await listen(mode)) }
        } catch {
            for listener in bound { try? await listener.channel.close() }
            throw error
        }
        return bound
    }

    private func listen(_ mode: ListenMode) async throws -> BoundListener {
        if mode.way == .transparent, !OriginalDestination.isKnown {
            throw ProxyStartError.notTransparent
        }
        let (loops, connections, budget) = (loops, shared.connections, budget)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // Without descriptors left, trying accept again at once would only keep the loop busy.
                    try channel.pipeline.syncOperations.addHandlers(
                        AcceptBackoffHandler(shouldForwardIOErrorCaught: false),
                        AcceptGate(count: connections, budget: budget)
                    )
                }
            }
            // Accepted sockets inherit it.
            .serverChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .asksSilentClients()
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // Set here: each option that the bootstrap sets costs a future.
                    try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
                    try channel.syncOptions?.setOption(.recvAllocator, value: ClientPipeline.receiveAllocator)
                    ServerBootstrap.askWhenSilent(channel)
                    guard let own = loops.first(where: { $0.isOn(channel.eventLoop) }) else { return }
                    try ClientPipeline.accepted(channel, by: mode.way, loop: own.value)
                }
            }
        do {
            let channel = try await bootstrap.bind(host: mode.host, port: mode.port).get()
            var bound = mode
            bound.port = channel.localAddress?.port ?? mode.port
            shared.listeners.add(port: bound.port)
            return BoundListener(mode: bound, channel: channel)
        } catch {
            throw Self.startError(error, mode, isListed: !shared.configuration.listenModes.isEmpty)
        }
    }

    /// Stops accepting, waits for open exchanges up to the drain timeout, ends those that are open then as failed, and ends.
    ///
    /// - Returns: how many exchanges it ended when the time was over, tunnels among them.
    @discardableResult
    package func shutdown(_ listeners: [BoundListener]) async throws -> Int {
        for listener in listeners { try? await listener.channel.close() }
        var cutCount = 0
        if try await !drain(for: shared.configuration.drainTimeout) {
            for loop in loops { cutCount += try await loop.eventLoop.submit { loop.value.watch.cut() }.get() }
            _ = try await drain(for: Self.recordTimeout)
        }
        shared.resolver.stop()
        shared.upstreams.stop()
        // A search for a client's program answers on the loops, and an edit of a body; both are soon over.
        let clock = shared.clock
        let latest = clock.now + .seconds(2)
        while shared.origins.stop() || shared.workers.stop(), clock.now < latest {
            try await Self.pause(.milliseconds(2))
        }
        try await group.shutdownGracefully()
        let keysDue = clock.now + Self.keyLogTimeout
        while keyLog?.writeOn() == false, clock.now < keysDue { try await Self.pause(.milliseconds(2)) }
        return cutCount
    }

    /// Waits until nothing is open or on its way to the record.
    ///
    /// - Returns: whether nothing was, by the time that is given.
    private func drain(for limit: TimeAmount) async throws -> Bool {
        let clock = shared.clock
        let deadline = clock.now + limit
        while true {
            var open = 0
            for loop in loops { open += try await loop.eventLoop.submit { loop.value.drain() }.get() }
            if open == 0 || clock.now >= deadline { return open == 0 }
            try await Self.pause(.milliseconds(20))
        }
    }

    /// Waits for a moment, even in a cancelled task: what is open then is still recorded.
    private static func pause(_ time: TimeAmount) async throws {
        try await MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: time) {}.futureResult.get()
    }

    /// The hosts that are not read.
    var passThrough: PassThroughList { shared.passThrough }

    /// Some loop, for what belongs to no client connection.
    var anyLoop: NIOLoopBound<ProxyLoop>? { loops.randomElement() }

    private static func startError(_ error: any Error, _ mode: ListenMode, isListed: Bool) -> ProxyStartError {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: .portInUse(mode, isListed: isListed)
        case EACCES: .portForbidden(mode, isListed: isListed)
        case EADDRNOTAVAIL: .foreignAddress(mode, isListed: isListed)
        default: .listening(mode, problem: "\(error)")
        }
    }
}

extension NIOLoopBound where Value == ProxyLoop {
    /// Whether this is the state of that loop.
    fileprivate func isOn(_ loop: any EventLoop) -> Bool { eventLoop === loop }
}
