import NIOCore
import NIOSSL
import Traffic
import Trust

/// Puts us between a client and an upstream that speak TLS: first the upstream's handshake for the name the client
/// asks for, then ours with the client, with a leaf for that name.
///
/// What the upstream showed decides what the client's requests will be answered.
final class TLSInterception {
    private let channel: any Channel
    let connection: ClientConnection
    let destination: Destination
    private var dialed: DialedUpstream?
    /// The dial of a host that is passed through, or that of the upstream with its handshake, until that is over.
    private(set) var dial: Dial?
    /// Whether the upstream's handshake is under way, after which the client is to go on with its own.
    private(set) var awaitsHandshake = false
    private var isGivenUp = false
    /// The name that the client asked for.
    private var serverName: String?
    /// What the client said at first.
    private(set) var hello = ClientHello()
    /// When it began, microseconds since 1970.
    let started: Int64
    let began: NIODeadline
    /// When the client left, unless that is not known before it is recorded.
    private(set) var ended: NIODeadline?
    let alerts = AlertWatch()

    init(
        channel: any Channel,
        connection: ClientConnection,
        destination: Destination,
        dialed: DialedUpstream?
    ) {
        self.channel = channel
        self.connection = connection
        self.destination = destination
        self.dialed = dialed
        started = connection.loop.timeOfDay
        began = connection.loop.now
    }

    var loop: ProxyLoop { connection.loop }
    /// The name that our leaf is for.
    var shownName: String { serverName ?? destination.endpoint.host }

    /// Goes on with what the ClientHello says; the future ends when the pipeline is ready for its bytes.
    func begin(_ hello: ClientHello) -> EventLoopFuture<Void> {
        dialed = loop.pool.current(dialed.take())
        serverName = hello.serverName
        self.hello = hello
        connection.greeted(hello)
        if loop.shared.isPassedThrough(destination, serverName: serverName) { return passThrough() }
        guard hello.mayBeHTTP else { return turnDown(.notHTTP) }
        if let problem = loop.shared.interception.problem(with: shownName) { return turnDown(problem) }
        let matches = loop.configuration.matchesProtocols
        let offer: UpstreamKey.Offer = hello.offersHTTP2 || !matches ? .both : .http1
        let key = loop.shared.memory.offerable(upstreamKey(offering: offer))
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        return upstreamHandshake(key).flatMap { outcome in
            let interception = bound.value
            // It left meanwhile, or the proxy was stopped.
            guard interception.channel.isActive, !interception.isGivenUp else {
                return interception.loop.loop.makeFailedFuture(ChannelError.ioOnClosedChannel)
            }
            if hello.offersHTTP2Alone, matches, outcome.negotiated == "http/1.1" {
                return interception.turnDown(.noHTTP2(upstream: outcome.negotiated))
            }
            let withHTTP2 = hello.offersHTTP2 && (!matches || outcome.isHTTP2 || outcome.refusal != nil)
            return interception.loop.shared.interception.context(
                for: interception.shownName,
                withHTTP2: withHTTP2,
                on: interception.loop.loop
            ).flatMapThrowing { context in
                try bound.value.install(context, key: outcome.key, refusal: outcome.refusal)
            }
        }.flatMapErrorThrowing { error in
            if !(error is TurnedDown) { bound.value.channel.close(promise: nil) }
            throw error
        }
    }

    /// The client is told why when that is recorded.
    private struct TurnedDown: Error {}

    /// Makes nothing of it any more; whoever gives it up tells why.
    func giveUp() {
        isGivenUp = true
        dial?.giveUp()
    }

    /// Ends and records what had only begun: the ClientHello did not come to its end.
    func abandon(_ error: any Error) {
        dialed?.channel.close(promise: nil)
        recordRefusal(error) { [channel] in channel.close(promise: nil) }
    }

    /// Ends the handshake before it began, as a server does that has no protocol in common with its client (RFC 7301 §3.2).
    private func turnDown(_ why: HandshakeFailure.NoProtocol) -> EventLoopFuture<Void> {
        turnDown(AlertWatch.noApplicationProtocol) { recordNoProtocol(why, then: $0) }
    }

    /// The same for a name that no certificate can hold, as a server does that does not know the name (RFC 6066 §3).
    private func turnDown(_ problem: TrustError) -> EventLoopFuture<Void> {
        turnDown(AlertWatch.unrecognizedName) { recordNoName(problem, then: $0) }
    }

    /// Lets go of the upstream, records why, and sends the client an alert when that is committed.
    private func turnDown(_ alert: UInt8, record: (_ then: @escaping () -> Void) -> Void) -> EventLoopFuture<Void> {
        dialed?.channel.close(promise: nil)
        dialed = nil
        // A record of type alert, its level fatal.
        let bytes = ByteBuffer(bytes: [0x15, 3, 3, 0, 2, 2, alert])
        record { [channel] in
            channel.writeAndFlush(bytes).whenComplete { _ in channel.close(promise: nil) }
        }
        return loop.loop.makeFailedFuture(TurnedDown())
    }

    /// Joins the client with the upstream, unread; the ClientHello is what passes first.
    private func passThrough() -> EventLoopFuture<Void> {
        let dial = connection.newDial()
        self.dial = dial
        let dialing =
            dialed.map { loop.loop.makeSucceededFuture($0) }
            ?? loop.pool.dial(destination.endpoint, for: connection, as: dial)
        dialed = nil
        let bound = NIOLoopBound((interception: self, dial: dial), eventLoop: loop.loop)
        return dialing.flatMapThrowing { dialed in try bound.value.interception.join(dialed) }.flatMapErrorThrowing {
            error in
            let (interception, dial) = bound.value
            interception.dial = nil
            // Whoever gave it up has told of it.
            if !dial.isGivenUp { interception.lose(error) }
            throw error
        }
    }

    private func join(_ dialed: DialedUpstream) throws {
        dial = nil
        guard channel.isActive else {
            dialed.channel.close(promise: nil)
            throw ChannelError.ioOnClosedChannel
        }
        let tunnel = Tunnel(
            connection: connection,
            endpoint: destination.named(serverName),
            request: destination.request,
            dialed: dialed,
            started: started
        )
        do {
            try tunnel.join(client: channel, upstream: dialed.channel)
        } catch {
            dialed.channel.close(promise: nil)
            throw ConnectRow.lost(destination.endpoint)
        }
    }

    private func lose(_ error: any Error) {
        let row = ConnectRow(
            connection: connection,
            endpoint: destination.named(serverName),
            request: destination.request,
            started: started,
            began: began
        )
        row.record(error) { [channel] in channel.close(promise: nil) }
    }

    private func upstreamKey(offering offer: UpstreamKey.Offer) -> UpstreamKey {
        destination.key(serverName: shownName, offer: offer, reach: connection.reach)
    }

    /// How the upstream's handshake went, now or not long ago.
    private struct UpstreamOutcome: Sendable {
        var key: UpstreamKey
        /// What it agreed on by ALPN.
        var negotiated: String?
        var isHTTP2: Bool { negotiated == "h2" }
        /// Why the upstream is refused; `nil` when its handshake went well.
        var refusal: UpstreamRefusal?
    }

    private func upstreamHandshake(_ key: UpstreamKey) -> EventLoopFuture<UpstreamOutcome> {
        let shared = loop.shared
        // Nobody is behind us: whatever the client speaks is read.
        if shared.isAnsweredHere(key.endpoint) {
            return loop.loop.makeSucceededFuture(UpstreamOutcome(key: key, negotiated: "h2"))
        }
        // A reverse upstream without TLS is reached when there is a request for it.
        if key.serverName == nil { return loop.loop.makeSucceededFuture(UpstreamOutcome(key: key)) }
        if dialed == nil, shared.memory.isKnownGood(key), loop.pool.isReady(key) {
            return loop.loop.makeSucceededFuture(UpstreamOutcome(key: key, negotiated: shared.memory.negotiated(key)))
        }
        let dial = dialed.map(Dial.init) ?? connection.newDial()
        (self.dial, awaitsHandshake) = (dial, true)
        let opening = dialed.map { loop.pool.establish($0, key: key, as: dial) } ?? loop.pool.establish(key, as: dial)
        dialed = nil
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        opening.assumeIsolated().whenComplete { _ in (bound.value.dial, bound.value.awaitsHandshake) = (nil, false) }
        return opening.map { UpstreamOutcome(key: key, negotiated: shared.memory.negotiated(key)) }.flatMapError {
            error in
            let refusal = UpstreamRefusal(
                error,
                otherwise: ExchangeFailure(
                    side: .upstream,
                    phase: .tls,
                    cause: .handshake,
                    message: "The TLS handshake with the upstream failed: \(error)."
                )
            )
            // An upstream that speaks HTTP/2 alone: the client's HTTP/1.1 is translated.
            if refusal.failure.cause == .upstreamNoApplicationProtocol, key.offer == .http1 {
                // By where the client may go by now.
                return bound.value.upstreamHandshake(bound.value.upstreamKey(offering: .both))
            }
            return bound.value.loop.loop.makeSucceededFuture(UpstreamOutcome(key: key, refusal: refusal))
        }
    }

    private func install(_ context: NIOSSLContext, key: UpstreamKey, refusal: UpstreamRefusal?) throws {
        guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
        let promise = loop.loop.makePromise(of: String?.self)
        let tls = NIOSSLServerHandler(context: context)
        try channel.pipeline.syncOperations.addHandlers(
            alerts,
            tls,
            HandshakeWait(loop.watch, promise: promise, timeout: loop.configuration.handshakeTimeout)
        )
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        promise.futureResult.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let negotiated):
                bound.value.serve(key, version: tls.tlsVersion, negotiated: negotiated, refusal: refusal)
            case .failure(let error): bound.value.handshakeFailed(error)
            }
        }
    }

    private func serve(
        _ key: UpstreamKey,
        version: TLSVersion?,
        negotiated: String?,
        refusal: UpstreamRefusal?
    ) {
        channel.pipeline.syncOperations.removeHandler(alerts, promise: nil)
        loop.shared.trusting.completed(address: connection.peer.address, host: shownName)
        let greeted = connection.peer
        var settled = Peer.TLS(
            version: version.map(Peer.text) ?? "",
            serverName: shownName,
            applicationProtocol: negotiated
        )
        settled.cipher = alerts.cipher
        let peer = Peer(
            token: loop.shared.nextToken(),
            address: greeted.address,
            tls: settled,
            process: greeted.process,
            hello: greeted.hello,
            runtime: greeted.runtime
        )
        do {
            try watchForSilence(negotiated)
            let inside = connection.inside(
                destination.scheme(isSecure: true),
                key,
                peer: peer,
                naming: destination.naming(serverName: serverName, isSecure: true),
                refusal: refusal
            )
            if negotiated == "h2" {
                try ClientPipeline.http2(channel, inside)
            } else {
                try ClientPipeline.http1(channel, inside)
            }
        } catch {
            channel.close(promise: nil)
        }
    }

    /// Records a refusal; a client that left before it can have read our certificate refused nothing.
    ///
    /// It has not read it when we have not answered yet, or when its socket was closed with our answer unread, which resets the connection.
    /// And one that trusts us for this host has only dropped a spare connection.
    private func handshakeFailed(_ error: any Error) {
        if error is HandshakeTimeout {
            recordRefusal(error) { [channel] in channel.close(promise: nil) }
            return
        }
        channel.close(promise: nil)
        guard alerts.alert == nil, HandshakeFailure.isClosed(error) else { return recordRefusal(error) }
        if !alerts.hasAnswered || error is IOError { return }
        unlessSpare { [loop, connection, shownName] in
            loop.shared.trusting.contains(address: connection.peer.address, host: shownName)
        } record: { [self] in
            recordRefusal(error)
        }
    }

    /// Records what a client did that left without a word, unless it has another connection to the same host, now or a moment later.
    private func unlessSpare(_ isSpare: @escaping () -> Bool, record: @escaping () -> Void) {
        if isSpare() { return }
        ended = ended ?? loop.now
        SecondLook.after(loop.watch) {
            if !isSpare() { record() }
        }
    }

    /// Looks whether the client says anything once it has our certificate: then it took that, which is worth knowing later.
    private func watchForSilence(_ negotiated: String?) throws {
        let (shared, address, host) = (loop.shared, connection.peer.address, shownName)
        let watch = SilenceWatch(loop.watch) { [connection] in
            shared.asking.completed(address: address, host: host)
            connection.origin?.whenFound { shared.programs.took($0, host: host) }
        } left: { [self] in
            ended = loop.now
            connection.whenKnown { [self] in
                unlessSpare { [connection] in
                    connection.peer.process.map { shared.programs.asked($0, host: host) }
                        ?? shared.asking.contains(address: address, host: host)
                } record: { [self] in
                    recordLeaving(negotiated)
                }
            }
        }
        try channel.pipeline.syncOperations.addHandler(watch)
    }
}
