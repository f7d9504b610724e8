import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An upstream connection on its way through a future of its own loop.
typealias OpenUpstream = NIOLoopBound<UpstreamHandler>

/// A connection to an upstream in the version that was agreed on, on its way through a future of its own loop.
enum OpenConnection: Sendable {
    /// For one exchange at a time.
    case http1(OpenUpstream)
    /// For a stream for each exchange.
    case http2(NIOLoopBound<HTTP2Upstream>)
}

/// How long an upstream connection took to come about, microseconds.
struct UpstreamSetUp {
    /// `nil` for an address.
    var dns: Int64?
    var connect: Int64
    /// `nil` without TLS.
    var tls: Int64?
}

/// A TCP connection to an upstream, before anything was said on it.
///
/// Reads nothing until a pipeline is built.
struct DialedUpstream {
    var channel: any Channel
    var address: String
    /// Microseconds the name took; `nil` for an address.
    var dns: Int64?
    /// Microseconds the connection took.
    var connect: Int64
}

/// Opens upstream connections on one event loop: resolve, check that it is not ourselves, connect, and where asked TLS.
struct UpstreamConnector {
    /// Reads that are made before what they brought goes on.
    ///
    /// TLS makes one buffer of all of them on its way in, and of all that is written at once on its way out, and keeps both as long as the
    /// connection lives: a client that is stalled on a download held a megabyte of such buffers at the library's four.
    private static let receiveCount: UInt = 2

    let loop: any EventLoop
    let shared: ProxyShared
    let watch: LoopWatch

    /// Opens a connection to an upstream, directly or through the upstream proxy; fails with an `ExchangeFailure`.
    ///
    /// The one way out, for exchanges, tunnels and handshakes alike: with an `AnswerSource` there is none.
    ///
    /// - Parameters:
    ///   - endpoint: where it goes.
    ///   - reach: where whoever asks for it may go.
    ///   - dial: gives it up before it has come to its end.
    /// - Returns: the connection.
    func dial(_ endpoint: Endpoint, _ reach: UpstreamReach, as dial: Dial = Dial()) -> EventLoopFuture<DialedUpstream> {
        guard shared.configuration.answers == nil else {
            return loop.makeFailedFuture(UpstreamConnector.offlineFailure(endpoint))
        }
        guard !shared.isReserved(endpoint) else {
            return loop.makeFailedFuture(UpstreamConnector.loopFailure(endpoint))
        }
        guard let proxy = shared.configuration.upstreamProxy else { return connect(endpoint, reach, dial) }
        // The proxy may be on this machine and lead back to us. Its names are not ours to resolve, but a name with a port of ours is looked at, and
        // so is what the proxy of this machine connects to for a client of another.
        let isSuspect = shared.listeners.contains(port: endpoint.port) || mayComeBack(endpoint, reach, by: proxy)
        let addresses = isSuspect ? shared.resolver.addresses(of: endpoint, on: loop) : loop.makeSucceededFuture([])
        let bound = NIOLoopBound((connector: self, dial: dial), eventLoop: loop)
        return addresses.flatMapErrorThrowing { _ in [] }.flatMap { addresses in
            let connector = bound.value.connector
            guard !addresses.contains(where: connector.shared.listeners.contains) else {
                return connector.loop.makeFailedFuture(UpstreamConnector.loopFailure(endpoint))
            }
            if let failure = connector.nearFailure(endpoint, addresses, reach) {
                return connector.loop.makeFailedFuture(failure)
            }
            return connector.dial(endpoint, through: proxy, bound.value.dial)
        }
    }

    /// Whether an upstream proxy may connect to this machine for a client that must not.
    private func mayComeBack(_ endpoint: Endpoint, _ reach: UpstreamReach, by proxy: UpstreamProxy) -> Bool {
        guard reach == .beyondThisMachine else { return false }
        if shared.resolver.known(endpoint) != nil || proxy.endpoint.host == "localhost" { return true }
        return shared.resolver.known(proxy.endpoint)?.contains(where: shared.listeners.isNear) ?? false
    }

    /// Why a client of another machine is not connected to one of these addresses; `nil` when it may be.
    private func nearFailure(_ endpoint: Endpoint, _ addresses: [SocketAddress], _ reach: UpstreamReach)
        -> ExchangeFailure?
    {
        guard reach == .beyondThisMachine, addresses.contains(where: shared.listeners.isNear) else { return nil }
        return ExchangeFailure(
            side: .client,
            phase: .connect,
            cause: "not-allowed",
            message:
                "\(endpoint) is at an address of the proxy's machine or of its link, where a client of another machine may not go; the proxy's option --allow-local lets it.",
            retry: true
        )
    }

    private func dial(_ endpoint: Endpoint, through proxy: UpstreamProxy, _ dial: Dial)
        -> EventLoopFuture<DialedUpstream>
    {
        let started = NIODeadline.now()
        let override = shared.resolver.override(of: endpoint)?.first?.ipAddress
        let target = override.map { Endpoint(host: $0, port: endpoint.port) } ?? endpoint
        let shared = shared
        let watch = NIOLoopBound(watch, eventLoop: loop)
        return connect(proxy.endpoint, .anywhere, dial).flatMapErrorThrowing { error in
            guard var failure = error as? ExchangeFailure, failure.cause != "loop" else { throw error }
            failure.message = "There is no way to the upstream proxy \(proxy): \(failure.message)"
            throw failure
        }.flatMap { dialed in
            let promise = dialed.channel.eventLoop.makePromise(of: Void.self)
            let handler = UpstreamProxyHandler(
                proxy,
                target: target,
                watch: watch.value,
                configuration: shared.configuration,
                promise: promise
            )
            do {
                try dialed.channel.pipeline.syncOperations.addHandler(handler)
            } catch {
                promise.fail(proxy.failure("closed", "closed the connection at once"))
                dialed.channel.close(promise: nil)
            }
            return promise.futureResult.map {
                var made = dialed
                made.connect = (NIODeadline.now() - started).microseconds - (dialed.dns ?? 0)
                return made
            }
        }
    }

    /// Opens a TCP connection; fails with an `ExchangeFailure`.
    private func connect(_ endpoint: Endpoint, _ reach: UpstreamReach, _ dial: Dial) -> EventLoopFuture<DialedUpstream>
    {
        let started = NIODeadline.now()
        let isName = (try? SocketAddress(ipAddress: endpoint.host, port: endpoint.port)) == nil
        let timeout = shared.configuration.connectTimeout
        let shared = shared
        let loop = loop
        let bound = NIOLoopBound((connector: self, dial: dial), eventLoop: loop)
        return shared.resolver.addresses(of: endpoint, on: loop).flatMap { addresses in
            let resolved = NIODeadline.now()
            guard !addresses.contains(where: shared.listeners.contains) else {
                return loop.makeFailedFuture(UpstreamConnector.loopFailure(endpoint))
            }
            // What is far may be connected to also where the name has an address of the link beside it, as printers have.
            let far = reach == .beyondThisMachine ? addresses.filter { !shared.listeners.isNear($0) } : addresses
            if far.isEmpty, let failure = bound.value.connector.nearFailure(endpoint, addresses, reach) {
                return loop.makeFailedFuture(failure)
            }
            let bootstrap = ClientBootstrap(group: loop)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .channelOption(.autoRead, value: false)
                .channelOption(.recvAllocator, value: ClientPipeline.receiveAllocator)
                .channelOption(.maxMessagesPerRead, value: Self.receiveCount)
                .connectTimeout(timeout)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try bound.value.dial.opens(channel)
                        try channel.pipeline.syncOperations.addHandler(ConnectionEnd())
                    }
                }
            let connecting =
                far.count == 1
                ? bootstrap.connect(to: far[0])
                : bootstrap.resolver(ResolvedAddresses(addresses: far, loop: loop)).connect(
                    host: endpoint.host,
                    port: endpoint.port
                )
            return connecting.map { channel in
                DialedUpstream(
                    channel: channel,
                    address: channel.remoteAddress.map(Peer.text) ?? "",
                    dns: isName ? (resolved - started).microseconds : nil,
                    connect: (NIODeadline.now() - resolved).microseconds
                )
            }.flatMapErrorThrowing { error in throw UpstreamConnector.failure(error, endpoint, timeout) }
        }.flatMapErrorThrowing { error in throw UpstreamConnector.failure(error, endpoint, timeout) }
    }

    /// Makes a connection of a dialed one, with TLS where the key names a server, in the version that is agreed on; fails with an
    /// `ExchangeFailure`.
    func open(_ dialed: DialedUpstream, key: UpstreamKey) -> EventLoopFuture<OpenConnection> {
        let channel = dialed.channel
        guard let serverName = key.serverName else {
            return loop.makeCompletedFuture {
                try install(on: channel, dialed: dialed, key: key, tls: nil, handshake: nil)
            }
        }
        let started = NIODeadline.now()
        let promise = loop.makePromise(of: String?.self)
        let chain: PresentedChain
        let watch = ServerHelloWatch()
        do {
            let tls = try shared.upstreamTLS.handler(serverName: serverName, offer: key.offer)
            chain = tls.chain
            try channel.pipeline.syncOperations.addHandlers(
                watch,
                tls.handler,
                HandshakeWait(self.watch, promise: promise, timeout: shared.configuration.handshakeTimeout)
            )
            try channel.syncOptions?.setOption(.autoRead, value: true)
            channel.read()
        } catch {
            promise.fail(error)
            channel.close(promise: nil)
            return loop.makeFailedFuture(
                HandshakeFailure.upstream(error, serverName: serverName, chain: PresentedChain())
            )
        }
        let shared = shared
        let bound = NIOLoopBound((connector: self, chain: chain, watch: watch), eventLoop: loop)
        return promise.futureResult.flatMapThrowing { negotiated in
            let (connector, chain, watch) = bound.value
            let handler = try channel.pipeline.syncOperations.handler(type: NIOSSLHandler.self)
            // Where the system verifies (macOS), nobody is shown the chain meanwhile, and the name is still ours to look at.
            if chain.certificates.isEmpty, let leaf = try handler.peerCertificate?.toDERBytes() {
                chain.certificates = [leaf]
            }
            if let problem = shared.upstreamTLS.trustProblem(serverName, chain: chain) { throw problem }
            var tls = Peer.TLS(
                version: handler.tlsVersion.map(Peer.text) ?? "",
                serverName: serverName,
                applicationProtocol: negotiated,
                certificates: chain.certificates
            )
            tls.cipher = watch.cipher
            shared.memory.keep(key, negotiated: negotiated)
            return try connector.install(
                on: channel,
                dialed: dialed,
                key: key,
                tls: tls,
                handshake: (NIODeadline.now() - started).microseconds
            )
        }.flatMapErrorThrowing { error in
            let (chain, watch) = (bound.value.chain, bound.value.watch)
            let failure = HandshakeFailure.upstream(error, serverName: serverName, chain: chain)
                .withRemedy(serverName, key.endpoint.port)
            let handler = try? channel.pipeline.syncOperations.handler(type: NIOSSLHandler.self)
            var tls = Peer.TLS(
                version: handler?.tlsVersion.map(Peer.text) ?? "",
                serverName: serverName,
                applicationProtocol: nil,
                certificates: chain.certificates
            )
            tls.cipher = watch.cipher
            shared.memory.forget(key)
            if failure.cause == HandshakeFailure.noProtocol { shared.memory.keepRefusal(key) }
            channel.close(promise: nil)
            throw UpstreamRefusal(
                failure,
                peer: Peer(token: shared.nextToken(), address: dialed.address, tls: tls)
            )
        }
    }

    private func install(
        on channel: any Channel,
        dialed: DialedUpstream,
        key: UpstreamKey,
        tls: Peer.TLS?,
        handshake: Int64?
    ) throws -> OpenConnection {
        let peer = Peer(token: shared.nextToken(), address: dialed.address, tls: tls)
        let setUp = UpstreamSetUp(dns: dialed.dns, connect: dialed.connect, tls: handshake)
        defer { channel.read() }
        try channel.syncOptions?.setOption(.autoRead, value: true)
        if tls?.applicationProtocol == "h2" || (tls == nil && key.offer == .priorKnowledge) {
            let upstream = try HTTP2Upstream(key: key, peer: peer, setUp: setUp, channel: channel, shared: shared)
            return .http2(NIOLoopBound(upstream, eventLoop: loop))
        }
        let codec = HTTP1Codec(role: .responses, limits: shared.configuration.headLimits)
        let handler = UpstreamHandler(key: key, codec: codec, peer: peer, setUp: setUp, channel: channel)
        handler.madeBy = shared
        try channel.pipeline.syncOperations.addHandlers(codec, handler)
        return .http1(OpenUpstream(handler, eventLoop: loop))
    }

    private static func offlineFailure(_ endpoint: Endpoint) -> ExchangeFailure {
        ExchangeFailure(
            side: .proxy,
            phase: .connect,
            cause: "offline",
            message:
                "Nothing is connected to from here, so not \(endpoint) either: requests are answered from recordings.",
            retry: false
        )
    }

    private static func loopFailure(_ endpoint: Endpoint) -> ExchangeFailure {
        ExchangeFailure(
            side: .proxy,
            phase: .connect,
            cause: "loop",
            message: "\(endpoint) is this proxy itself, which does not connect to its own listeners.",
            retry: true
        )
    }

    /// What a dial failed of, for the record.
    static func failure(_ error: any Error, _ endpoint: Endpoint) -> ExchangeFailure {
        failure(error, endpoint, .zero)
    }

    private static func failure(_ error: any Error, _ endpoint: Endpoint, _ timeout: TimeAmount) -> ExchangeFailure {
        switch error {
        case let failure as ExchangeFailure: return failure
        case ChannelError.connectTimeout: return timedOut(endpoint, timeout)
        case let error as IOError: return failure(error, endpoint)
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first { return failure(first.error, endpoint, timeout) }
            return ExchangeFailure(
                side: .upstream,
                phase: .dns,
                cause: "unknown-name",
                message: "The name \(endpoint.host) has no address.",
                retry: true
            )
        default:
            return ExchangeFailure(
                side: .upstream,
                phase: .connect,
                cause: "connect",
                message: "Connecting to \(endpoint) failed: \(error).",
                retry: true
            )
        }
    }

    private static func timedOut(_ endpoint: Endpoint, _ timeout: TimeAmount) -> ExchangeFailure {
        ExchangeFailure(
            side: .upstream,
            phase: .connect,
            cause: "timeout",
            message: "\(endpoint) did not accept a connection within \(timeout.text).",
            retry: true
        )
    }

    private static func failure(_ error: IOError, _ endpoint: Endpoint) -> ExchangeFailure {
        let (cause, what) =
            switch error.errnoCode {
            case ECONNREFUSED: ("refused", "refused the connection")
            case ETIMEDOUT: ("timeout", "did not accept a connection in time")
            case EHOSTUNREACH, ENETUNREACH: ("unreachable", "cannot be reached from here")
            case ECONNRESET: ("reset", "reset the connection")
            case EMFILE, ENFILE: ("no-descriptors", "cannot be connected to: this machine has no file descriptors left")
            default: ("connect", "could not be connected to (\(error.errnoCode))")
            }
        return ExchangeFailure(
            side: .upstream,
            phase: .connect,
            cause: cause,
            message: "\(endpoint) \(what).",
            retry: true
        )
    }
}

extension TimeAmount {
    /// Whole microseconds.
    var microseconds: Int64 { nanoseconds / 1_000 }

    /// For a person: `10 s`, or `300 ms` where it is not whole seconds.
    var text: String {
        nanoseconds % 1_000_000_000 == 0 ? "\(nanoseconds / 1_000_000_000) s" : "\(nanoseconds / 1_000_000) ms"
    }
}
