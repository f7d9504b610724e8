import NIOCore
import NIOPosix
import Traffic

/// How a dial gets a socket.
extension UpstreamConnector {
    /// How many reads are made before their bytes are handed on.
    ///
    /// TLS makes one buffer of all of them, and one of all that is written at once, and keeps both as long as the connection lives. At the
    /// library's default of four reads, a client that stalled on a download held a megabyte of such buffers.
    private static let receiveCount: UInt = 2

    /// Connects to one of some addresses, in a place that was taken for it and is given back here; fails with an `ExchangeFailure`.
    ///
    /// - Parameters:
    ///   - addresses: where to, in any order; several are tried side by side (RFC 8305), or where there are no places for that, in turn.
    ///   - endpoint: whose they are.
    ///   - limit: how long it may take.
    ///   - dial: can give the attempt up.
    /// - Returns: the connected channel, which reads nothing yet.
    func openSocket(
        _ addresses: [SocketAddress],
        of endpoint: Endpoint,
        within limit: TimeAmount,
        as dial: Dial
    ) -> EventLoopFuture<any Channel> {
        let loop = loop
        let timeout = shared.configuration.connectTimeout
        let places = AttemptPlaces(shared.upstreams, on: loop)
        let bound = NIOLoopBound((connector: self, places: places, dial: dial), eventLoop: loop)
        let opening = makingRoom {
            let (connector, places, dial) = bound.value
            let bootstrap = connector.bootstrap(places, dial, within: limit)
            let connecting =
                addresses.count == 1
                ? bootstrap.connect(to: addresses[0])
                : bootstrap.resolver(ResolvedAddresses(addresses: addresses, loop: loop)).connect(
                    host: endpoint.host,
                    port: endpoint.port
                )
            return connecting.flatMapError { error in
                let (connector, places, dial) = bound.value
                guard places.isShort else { return loop.makeFailedFuture(error) }
                return connector.connect(to: addresses, places, dial, within: limit)
            }.flatMapErrorThrowing { error in
                throw UpstreamConnector.failure(error, endpoint, timeout)
            }
        }
        opening.assumeIsolated().whenComplete { _ in bound.value.places.end() }
        return opening
    }

    private func bootstrap(_ places: AttemptPlaces, _ dial: Dial, within limit: TimeAmount) -> ClientBootstrap {
        let bound = NIOLoopBound((places: places, dial: dial), eventLoop: loop)
        return ClientBootstrap(group: loop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.autoRead, value: false)
            .channelOption(.recvAllocator, value: ClientPipeline.receiveAllocator)
            .channelOption(.maxMessagesPerRead, value: Self.receiveCount)
            .connectTimeout(limit)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let (places, dial) = bound.value
                    try dial.opens(channel)
                    try places.opens(channel)
                    try channel.pipeline.syncOperations.addHandler(ConnectionEnd())
                }
            }
    }

    /// Connects to several addresses one after another in a single place, each for its share of the time; fails as the first of them.
    ///
    /// The addresses that were tried while there was hope of a further place come last.
    private func connect(
        to addresses: [SocketAddress],
        _ places: AttemptPlaces,
        _ dial: Dial,
        within limit: TimeAmount
    ) -> EventLoopFuture<any Channel> {
        let loop = loop
        let backwards = addresses.reversed()
        // Of both families, IPv6 was tried first.
        let order = backwards.filter { $0.protocol == .inet } + backwards.filter { $0.protocol != .inet }
        // Far ones take a while to answer.
        let part = TimeAmount.nanoseconds(limit.nanoseconds / Int64(max(1, order.count)))
        let share = max(part, min(limit, .seconds(1)))
        places.takesTurns()
        let bootstrap = NIOLoopBound(bootstrap(places, dial, within: share), eventLoop: loop)
        guard let first = order.first else { return loop.makeFailedFuture(shared.upstreams.full) }
        return order.dropFirst().reduce(bootstrap.value.connect(to: first)) { before, next in
            before.flatMapError { error in
                bootstrap.value.connect(to: next).flatMapErrorThrowing { _ in throw error }
            }
        }
    }

    /// Makes an attempt, and where the process has no descriptor left, a second one once the idle connections of all event loops are closed.
    func makingRoom<Value: Sendable>(
        _ attempt: @escaping @Sendable () -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        let (loop, upstreams) = (loop, shared.upstreams)
        return attempt().flatMapError { error in
            guard let failure = error as? ExchangeFailure, (failure.side, failure.cause) == (.upstream, .noDescriptors)
            else { return loop.makeFailedFuture(error) }
            return upstreams.makeRoom(on: loop).flatMap(attempt)
        }
    }
}
