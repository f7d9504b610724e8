import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Traffic
import Trust

/// The proxy: listens, and relays every exchange while telling the sink what passed.
package final class ProxyServer: Sendable {
    private let group: MultiThreadedEventLoopGroup
    private let loops: [NIOLoopBound<ProxyLoop>]
    private let shared: ProxyShared

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
        shared = ProxyShared(
            configuration: configuration,
            interception: try InterceptionContexts(authority: authority),
            upstreamTLS: try UpstreamTLS(configuration: configuration, ownRootDER: authority.root.der),
            listeners: listeners,
            logger: logger
        )
        group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        let budget = CaptureBudget(limitBytes: configuration.captureLimitBytes)
        let shared = shared
        loops = try group.makeIterator().map { loop in
            try loop.submit {
                NIOLoopBound(ProxyLoop(loop: loop, shared: shared, sink: sink, budget: budget), eventLoop: loop)
            }.wait()
        }
    }

    /// Starts to listen; returns the address.
    ///
    /// The proxy serves until `shutdown`.
    ///
    /// - Throws: `ProxyStartError` when the address cannot be had.
    package func listen() async throws -> (listener: any Channel, port: Int) {
        let configuration = shared.configuration
        let loops = loops
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.recvAllocator, value: ClientPipeline.receiveAllocator)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let own = loops.first(where: { $0.isOn(channel.eventLoop) }) else { return }
                    try ClientPipeline.explicit(channel, loop: own.value)
                }
            }
        do {
            let channel = try await bootstrap.bind(host: configuration.host, port: configuration.port).get()
            let port = channel.localAddress?.port ?? configuration.port
            shared.listeners.add(port: port)
            return (channel, port)
        } catch {
            throw Self.startError(error, host: configuration.host, port: configuration.port)
        }
    }

    /// Stops accepting, waits for open exchanges up to the drain timeout, and ends.
    package func shutdown(_ listener: any Channel) async throws {
        try? await listener.close()
        let deadline = NIODeadline.now() + shared.configuration.drainTimeout
        while NIODeadline.now() < deadline {
            var open = 0
            for loop in loops { open += try await loop.drain() }
            if open == 0 { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        try await group.shutdownGracefully()
    }

    /// Some loop, for what belongs to no client connection.
    var anyLoop: NIOLoopBound<ProxyLoop>? { loops.randomElement() }

    private static func startError(_ error: any Error, host: String, port: Int) -> any Error {
        let place = Endpoint(host: host, port: port).description
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            return ProxyStartError(
                "\(place) is in use by another program; choose another port with --port, or --port 0 for any"
            )
        case EACCES:
            return ProxyStartError("\(place) may not be listened on by this user; choose a port above 1023 with --port")
        case EADDRNOTAVAIL:
            return ProxyStartError("\(host) is not an address of this machine; choose another with --listen")
        default: return ProxyStartError("cannot listen on \(place): \(error)")
        }
    }
}

extension NIOLoopBound where Value == ProxyLoop {
    /// Whether this is the state of that loop.
    fileprivate func isOn(_ loop: any EventLoop) -> Bool { eventLoop === loop }

    /// Closes what is idle; returns how many exchanges are open or on their way to the record.
    fileprivate func drain() async throws -> Int {
        try await eventLoop.submit {
            value.pool.closeAll()
            return value.watch.drain() + (value.lane.isIdle ? 0 : 1)
        }.get()
    }
}
