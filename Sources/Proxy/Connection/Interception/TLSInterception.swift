import NIOCore
import NIOSSL
import Traffic
import Trust

/// The interception of a client and an upstream that speak TLS.
///
/// First comes the upstream's handshake for the name that the client asks for, then ours with the client, with a leaf for that name. Where the
/// upstream's certificate is bad, the client's requests are answered with an error.
final class TLSInterception {
    private let channel: any Channel
    let connection: ClientConnection
    let destination: Destination
    private var dialed: DialedUpstream?
    /// The dial of a host that is passed through, or of the upstream with its handshake, until the dial is over.
    private(set) var dial: Dial?
    /// Whether the upstream's handshake is under way, after which the client's goes on.
    private(set) var awaitsHandshake = false
    private var isGivenUp = false
    /// The name that the client asked for.
    private var serverName: String?
    /// The client's first message.
    private(set) var hello = ClientHello()
    /// When it began, microseconds since 1970.
    let started: Int64
    let began: NIODeadline
    /// When the client left; `nil` where the time of the record stands for that.
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
        if loop.shared.isPassedThrough(destination, serverName: serverName) {
            return loop.rules != nil && destination.isUnjudged ? judge() : passThrough()
        }
        guard hello.mayBeHTTP else { return turnDown(.notHTTP) }
        if let problem = loop.shared.interception.problem(with: shownName) { return turnDown(problem) }
        let matches = loop.configuration.matchesProtocols
        let offer: UpstreamKey.Offer = hello.offersHTTP2 || !matches ? .both : .http1
        let key = loop.shared.memory.offerable(upstreamKey(offering: offer))
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        return upstreamHandshake(key).flatMap { outcome in
            let interception = bound.value
            // The client left meanwhile, or the proxy was stopped.
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

    /// Gives the interception up; the caller records why.
    func giveUp() {
        isGivenUp = true
        dial?.giveUp()
    }

    /// Ends and records a connection whose ClientHello did not come to its end.
    func abandon(_ error: any Error) {
        dialed?.channel.close(promise: nil)
        recordRefusal(error) { [channel] in channel.close(promise: nil) }
    }

    /// Refuses the handshake with the alert of a server that has no protocol in common with its client (RFC 7301 §3.2).
    private func turnDown(_ why: HandshakeFailure.NoProtocol) -> EventLoopFuture<Void> {
        turnDown(AlertWatch.noApplicationProtocol) { recordNoProtocol(why, then: $0) }
    }

    /// Refuses the handshake for a name that no certificate can hold, with the alert of a server that does not know it (RFC 6066 §3).
    private func turnDown(_ problem: TrustError) -> EventLoopFuture<Void> {
        turnDown(AlertWatch.unrecognizedName) { recordNoName(problem, then: $0) }
    }

    /// Closes the upstream, records why, and sends the client an alert once the row is committed.
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

    /// Joins the client with the upstream unless a rule refuses the connection, whose requests no rule will see.
    private func judge() -> EventLoopFuture<Void> {
        let promise = loop.loop.makePromise(of: Void.self)
        connection.judgeTunnel(to: destination.named(serverName)) { [self] verdict in
            // Where it was given up, that was recorded then.
            guard !isGivenUp else { return promise.fail(TurnedDown()) }
            guard channel.isActive else {
                dialed.take()?.channel.close(promise: nil)
                row.recordClientLeft()
                return promise.fail(TurnedDown())
            }
            guard let verdict else { return passThrough().cascade(to: promise) }
            dialed.take()?.channel.close(promise: nil)
            row.refuse(channel, by: verdict.block, verdict.use)
            promise.fail(TurnedDown())
        }
        return promise.futureResult
    }

    private var row: ConnectRow {
        ConnectRow(
            connection: connection,
            endpoint: destination.named(serverName),
            request: destination.request,
            started: started,
            began: began
        )
    }

    /// Joins the client with the upstream, unread; the ClientHello passes first.
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
            // Where it was given up, that was recorded then.
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
        row.record(error) { [channel] in channel.close(promise: nil) }
    }

    private func upstreamKey(offering offer: UpstreamKey.Offer) -> UpstreamKey {
        destination.key(serverName: shownName, offer: offer, reach: connection.reach)
    }

    /// The outcome of the upstream's handshake, made now or not long ago.
    private struct UpstreamOutcome: Sendable {
        var key: UpstreamKey
        /// The application protocol agreed on (ALPN); `nil` for none.
        var negotiated: String?
        var isHTTP2: Bool { negotiated == "h2" }
        /// Why the upstream is refused; `nil` where its handshake succeeded.
        var refusal: UpstreamRefusal?
    }

    private func upstreamHandshake(_ key: UpstreamKey) -> EventLoopFuture<UpstreamOutcome> {
        let shared = loop.shared
        // No upstream is behind us: whatever the client speaks is read.
        if shared.isAnsweredHere(key.endpoint) || connection.mayNeedNoUpstream(destination.named(serverName)) {
            dialed?.channel.close(promise: nil)
            dialed = nil
            return loop.loop.makeSucceededFuture(UpstreamOutcome(key: key, negotiated: "h2"))
        }
        // A reverse upstream without TLS is dialled when there is a request for it.
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
            // The upstream speaks HTTP/2 alone: the client's HTTP/1.1 is translated.
            if refusal.failure.cause == .upstreamNoApplicationProtocol, key.offer == .http1 {
                // Where the client may go may have changed by now.
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

    /// Records a refusal, unless the client has refused nothing.
    ///
    /// A client that left before we answered has not read our certificate. Nor has a client whose socket was closed with our answer unread, which
    /// resets the connection. A client that trusts us for this host has only dropped a spare connection.
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

    /// Records that a client left without a byte, unless it has another connection to the same host, now or a moment later.
    private func unlessSpare(_ isSpare: @escaping () -> Bool, record: @escaping () -> Void) {
        if isSpare() { return }
        ended = ended ?? loop.now
        SecondLook.after(loop.watch) {
            if !isSpare() { record() }
        }
    }

    /// Watches whether the client sends anything once it has our certificate: then it trusts that, which later refusals are judged by.
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
