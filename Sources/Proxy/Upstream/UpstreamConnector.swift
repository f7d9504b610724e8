import NIOCore
import NIOSSL
import NIOTLS
import Traffic

/// Opens upstream connections on one event loop: resolve, check that it is not ourselves, connect, and where asked TLS.
struct UpstreamConnector {
    let loop: any EventLoop
    let shared: ProxyShared
    let watch: LoopWatch

    /// Opens a connection to an upstream, directly or through the upstream proxy; fails with an `ExchangeFailure`.
    ///
    /// This is the only way out, for exchanges, tunnels and handshakes alike; with an `AnswerSource` it always fails.
    ///
    /// - Parameters:
    ///   - endpoint: where it goes.
    ///   - reach: where the client may go.
    ///   - detour: another way there; `nil` for the usual one.
    ///   - dial: can give the attempt up.
    /// - Returns: the connection.
    func dial(
        _ endpoint: Endpoint,
        _ reach: UpstreamReach,
        by detour: UpstreamDetour? = nil,
        as dial: Dial = Dial()
    ) -> EventLoopFuture<DialedUpstream> {
        guard shared.configuration.answers == nil else {
            return loop.makeFailedFuture(UpstreamConnector.offlineFailure(endpoint))
        }
        guard !shared.isReserved(endpoint) else {
            return loop.makeFailedFuture(UpstreamConnector.loopFailure(endpoint))
        }
        guard let proxy = detour?.proxy ?? shared.configuration.upstreamProxy else {
            return connect(endpoint, reach, dial, detour)
        }
        let bound = NIOLoopBound((connector: self, dial: dial), eventLoop: loop)
        let asked = detour?.addresses.first.map { Endpoint(host: $0, port: endpoint.port) } ?? endpoint
        return target(of: asked, reach, for: proxy, dial.client).flatMap { target in
            bound.value.connector.dial(target, through: proxy, bound.value.dial)
        }
    }

    /// The endpoint that an upstream proxy is asked for, since the proxy may be on this machine and lead back to us; fails with an `ExchangeFailure`.
    ///
    /// The proxy resolves names, but we resolve two kinds to check them: a name with a port of ours, and every name that a client of another machine
    /// asks for through a proxy on this machine. In the second case the proxy gets the checked address, since the name may have another one by then.
    private func target(
        of endpoint: Endpoint,
        _ reach: UpstreamReach,
        for proxy: UpstreamProxy,
        _ client: [UInt8]?
    ) -> EventLoopFuture<Endpoint> {
        let (resolver, listeners) = (shared.resolver, shared.listeners)
        if let known = resolver.known(endpoint) {
            let override = resolver.override(of: endpoint)?.first?.ipAddress
            let target = override.map { Endpoint(host: $0, port: endpoint.port) } ?? endpoint
            return loop.makeCompletedFuture {
                try checkOwn(endpoint, known)
                if reach == .beyondThisMachine, listeners.isNear(known) { throw Self.nearFailure(endpoint) }
                return target
            }
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        guard reach == .beyondThisMachine else { return unlessOwn(endpoint, client) }
        // A proxy whose address is unknown may be on this machine.
        return resolver.addresses(of: proxy.endpoint, on: loop).flatMapErrorThrowing { _ in [] }.flatMap { found in
            let connector = bound.value
            guard found.isEmpty || listeners.isOnThisMachine(found) else {
                return connector.unlessOwn(endpoint, client)
            }
            let unknown = UpstreamConnector.notAllowed(
                "The name \(endpoint.host) could not be resolved here, and may be of an address of the proxy's machine, where a client of another machine may not go"
            )
            return resolver.addresses(of: endpoint, for: client, on: connector.loop).flatMapErrorThrowing { _ in
                throw unknown
            }.flatMapThrowing { addresses in
                try bound.value.checkOwn(endpoint, addresses)
                guard let far = listeners.far(addresses).first?.ipAddress else {
                    throw addresses.isEmpty ? unknown : Self.nearFailure(endpoint)
                }
                return Endpoint(host: far, port: endpoint.port)
            }
        }
    }

    /// The endpoint; fails where it is a listener of ours, as far as its name can be resolved here.
    private func unlessOwn(_ endpoint: Endpoint, _ client: [UInt8]?) -> EventLoopFuture<Endpoint> {
        guard shared.listeners.contains(port: endpoint.port) else { return loop.makeSucceededFuture(endpoint) }
        let bound = NIOLoopBound(self, eventLoop: loop)
        let found = shared.resolver.addresses(of: endpoint, for: client, on: loop)
        return found.flatMapErrorThrowing { _ in [] }.flatMapThrowing {
            try bound.value.checkOwn(endpoint, $0)
            return endpoint
        }
    }

    private func checkOwn(_ endpoint: Endpoint, _ addresses: [SocketAddress]) throws {
        if addresses.contains(where: shared.listeners.contains) { throw UpstreamConnector.loopFailure(endpoint) }
    }

    /// Why a client of another machine is not connected there.
    private static func nearFailure(_ endpoint: Endpoint) -> ExchangeFailure {
        notAllowed(
            "\(endpoint) is at an address of the proxy's machine, of its link or of its cloud's own services, where a client of another machine may not go"
        )
    }

    private func dial(_ target: Endpoint, through proxy: UpstreamProxy, _ dial: Dial)
        -> EventLoopFuture<DialedUpstream>
    {
        let shared = shared
        let watch = NIOLoopBound(watch, eventLoop: loop)
        return connect(proxy.endpoint, .anywhere, dial).flatMapErrorThrowing { error in
            guard var failure = error as? ExchangeFailure, failure.cause != .loop else { throw error }
            failure.message = "There is no way to the upstream proxy \(proxy): \(failure.message)"
            throw failure
        }.flatMap { dialed in
            let connected = shared.clock.now
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
                promise.fail(proxy.failure(.closed, "closed the connection at once"))
                dialed.channel.close(promise: nil)
            }
            return promise.futureResult.map {
                var made = dialed
                made.place.target = target
                made.connect += (shared.clock.now - connected).microseconds
                return made
            }
        }
    }

    /// Opens a TCP connection; fails with an `ExchangeFailure`, or `NotNeeded`.
    private func connect(
        _ endpoint: Endpoint,
        _ reach: UpstreamReach,
        _ dial: Dial,
        _ detour: UpstreamDetour? = nil
    ) -> EventLoopFuture<DialedUpstream> {
        let started = shared.clock.now
        let isName = (try? SocketAddress(ipAddress: endpoint.host, port: endpoint.port)) == nil
        let timeout = shared.configuration.connectTimeout
        let shared = shared
        let loop = loop
        let bound = NIOLoopBound((connector: self, dial: dial), eventLoop: loop)
        let found =
            detour?.places(port: endpoint.port).map { loop.makeSucceededFuture($0) }
            ?? shared.resolver.addresses(of: endpoint, for: dial.client, on: loop)
        return found.flatMap { addresses in
            guard !bound.value.dial.isGivenUp else { return loop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
            let resolved = shared.clock.now
            guard !addresses.contains(where: shared.listeners.contains) else {
                return loop.makeFailedFuture(UpstreamConnector.loopFailure(endpoint))
            }
            // A far address may be used although the name has a link-local one too, as printers do.
            let far = reach == .beyondThisMachine ? shared.listeners.far(addresses) : addresses
            guard addresses.isEmpty || !far.isEmpty else { return loop.makeFailedFuture(Self.nearFailure(endpoint)) }
            let left = max(timeout - (resolved - started), .milliseconds(1))
            return shared.upstreams.place(for: bound.value.dial, on: loop, within: left).flatMap {
                let (connector, dial) = bound.value
                let placed = shared.clock.now
                return connector.openSocket(far, of: endpoint, within: left, as: dial).map { channel in
                    DialedUpstream(
                        channel: channel,
                        address: channel.remoteAddress.map(Peer.text) ?? "",
                        place: UpstreamPlace(address: channel.remoteAddress),
                        madeBy: shared,
                        dns: isName ? (resolved - started).microseconds : nil,
                        connect: (shared.clock.now - placed).microseconds
                    )
                }
            }
        }.flatMapErrorThrowing { error in
            guard !(error is UpstreamCount.NotNeeded) else { throw error }
            throw UpstreamConnector.failure(error, endpoint, timeout)
        }
    }

    /// Makes a connection of a dialed one, with TLS where the key names a server, in the version that is agreed on; fails with an
    /// `ExchangeFailure`.
    ///
    /// A handshake that was given up with its dial tells nothing of the upstream.
    func open(_ dialed: DialedUpstream, key: UpstreamKey, as dial: Dial = Dial()) -> EventLoopFuture<OpenConnection> {
        let channel = dialed.channel
        guard let serverName = key.serverName else {
            return loop.makeCompletedFuture {
                try install(on: channel, dialed: dialed, key: key, tls: nil, handshake: nil)
            }
        }
        let started = shared.clock.now
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
                HandshakeFailure.upstream(
                    error,
                    serverName: serverName,
                    chain: PresentedChain(),
                    now: shared.clock.date
                )
            )
        }
        let shared = shared
        let bound = NIOLoopBound((connector: self, chain: chain, watch: watch, dial: dial), eventLoop: loop)
        return promise.futureResult.flatMapThrowing { negotiated in
            let (connector, chain, watch, _) = bound.value
            let handler = try channel.pipeline.syncOperations.handler(type: NIOSSLHandler.self)
            // Where the system verifies (macOS), no callback shows us the chain, and we still have to check the name.
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
                handshake: (shared.clock.now - started).microseconds
            )
        }.flatMapErrorThrowing { error in
            guard !bound.value.dial.isGivenUp else { throw error }
            let (chain, watch) = (bound.value.chain, bound.value.watch)
            let failure = HandshakeFailure.upstream(
                error,
                serverName: serverName,
                chain: chain,
                now: shared.clock.date
            ).withRemedy(serverName, key.endpoint.port, words: shared.configuration.remedyWords)
            let handler = try? channel.pipeline.syncOperations.handler(type: NIOSSLHandler.self)
            var tls = Peer.TLS(
                version: handler?.tlsVersion.map(Peer.text) ?? "",
                serverName: serverName,
                applicationProtocol: nil,
                certificates: chain.certificates
            )
            tls.cipher = watch.cipher
            shared.memory.forget(key)
            if failure.cause == .upstreamNoApplicationProtocol { shared.memory.keepRefusal(key) }
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
            let upstream = try HTTP2Upstream(
                key: key,
                peer: peer,
                place: dialed.place,
                setUp: setUp,
                channel: channel,
                shared: shared,
                watch: watch
            )
            return .http2(NIOLoopBound(upstream, eventLoop: loop))
        }
        let codec = HTTP1Codec(role: .responses, limits: shared.configuration.headLimits)
        let handler = UpstreamHandler(
            key: key,
            codec: codec,
            peer: peer,
            place: dialed.place,
            setUp: setUp,
            channel: channel
        )
        handler.madeBy = shared
        try channel.pipeline.syncOperations.addHandlers(codec, handler)
        return .http1(OpenUpstream(handler, eventLoop: loop))
    }
}
