import DequeModule
import NIOCore
import Traffic

/// One event loop's upstream connections: idle ones of HTTP/1, the last used first, and those of HTTP/2 that take more streams.
final class UpstreamPool: UpstreamKeeper {
    private var connector: UpstreamConnector
    private let watch: LoopWatch
    private var keepAlive: TimeAmount
    private var limitCount: Int
    private var idle: [UpstreamKey: [UpstreamHandler]] = [:]
    private var idleCount = 0
    /// How many idle connections belong to one client each, which are kept elsewhere.
    private var boundCount = 0
    private var shared: [UpstreamKey: [HTTP2Upstream]] = [:]
    /// How many HTTP/2 connections have no stream.
    private var idleSharedCount = 0
    /// Dials to upstreams that are known to speak HTTP/2, which other exchanges of the same client may wait for instead of dialling too.
    private var dialing: [Asked: SharedDial] = [:]

    /// The key of a dial that others may wait for; it has the client, since a dial may wait for its client's share of look-ups.
    private struct Asked: Hashable {
        var key: UpstreamKey
        /// The network of a client of another machine; `nil` for this machine's.
        var client: [UInt8]?
    }

    private struct SharedDial {
        /// The dial, which is given up with the last exchange that waits for it.
        let dial: Dial
        let ended: EventLoopFuture<Void>
    }

    /// An exchange's demand for a connection.
    private struct Search {
        let key: UpstreamKey
        let client: ClientConnection
        /// The exchange, where it is sent a second time; else `nil`.
        let again: CaptureToken?
        let dial: Dial
        /// When it stops waiting for others' dials.
        let waitingUntil: NIODeadline
    }

    init(loop: any EventLoop, shared: ProxyShared, watch: LoopWatch) {
        connector = UpstreamConnector(loop: loop, shared: shared, watch: watch)
        self.watch = watch
        keepAlive = shared.configuration.upstreamKeepAliveTimeout
        limitCount = shared.configuration.idleUpstreamLimitCount
    }

    private var loop: any EventLoop { connector.loop }

    // MARK: For an exchange

    /// Takes an idle HTTP/1 connection; `nil` where there is none.
    func take(_ key: UpstreamKey) -> UpstreamHandler? {
        guard var list = idle[key], let last = list.popLast() else { return nil }
        idle[key] = list.isEmpty ? nil : list
        idleCount -= 1
        last.keeper = nil
        watch.remove(last)
        return last
    }

    /// A stream of an open connection, or a new connection; fails with an `ExchangeFailure`.
    ///
    /// It waits for others' dials no longer than its own might take: with an upstream that takes few streams, each would wait for all before it.
    ///
    /// - Parameters:
    ///   - key: the connection that is needed; where its client may go is checked again after a wait.
    ///   - client: the client connection of the exchange.
    ///   - again: the exchange, where it is sent a second and last time: only a connection that is newer than the exchange will do, and one of
    ///     others only once it has said how many streams it takes.
    ///   - dial: opens a new connection; once it is given up, the search ends.
    /// - Returns: a connection or a stream for one exchange.
    func acquire(
        _ key: UpstreamKey,
        for client: ClientConnection,
        again: CaptureToken?,
        as dial: Dial
    ) -> EventLoopFuture<OpenUpstream> {
        let waitingUntil = watch.now + connector.shared.configuration.connectTimeout
        return acquire(Search(key: key, client: client, again: again, dial: dial, waitingUntil: waitingUntil))
    }

    private func acquire(_ search: Search) -> EventLoopFuture<OpenUpstream> {
        guard !search.dial.isGivenUp else { return loop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
        let key = search.client.allowed(search.key)
        let connection = connection(key, search.again)
        if let connection, search.again == nil || connection.isSettled { return connection.openStream() }
        let bound = NIOLoopBound((pool: self, search: search), eventLoop: loop)
        let found: EventLoopFuture<OpenUpstream>
        if watch.now < search.waitingUntil,
            let awaited = connection?.settled() ?? othersDial(Asked(key: key, client: search.dial.client), search.dial)
        {
            found = awaited.flatMap { bound.value.pool.acquire(bound.value.search) }
        } else {
            found = openAlone(key, again: search.again, as: search.dial)
        }
        return found.flatMapError { error in
            let (pool, search) = bound.value
            guard error is UpstreamCount.NotNeeded else { return pool.loop.makeFailedFuture(error) }
            return pool.acquire(search)
        }
    }

    /// An open connection with room for another stream; for an exchange that is sent again, one that is newer than that.
    private func connection(_ key: UpstreamKey, _ again: CaptureToken?) -> HTTP2Upstream? {
        shared[key]?.first { $0.hasRoom && $0.peer.token > again ?? 0 }
    }

    /// Waits, with others, for a dial that is under way; `nil` where there is none.
    private func othersDial(_ asked: Asked, _ own: Dial) -> EventLoopFuture<Void>? {
        guard let shared = dialing[asked], !shared.dial.isGivenUp else { return nil }
        own.wait(for: shared.dial)
        return shared.ended
    }

    private func openAlone(
        _ key: UpstreamKey,
        again: CaptureToken?,
        as dial: Dial
    ) -> EventLoopFuture<OpenUpstream> {
        let bound = NIOLoopBound((pool: self, dial: dial), eventLoop: loop)
        let isNeeded = { [weak self] in self?.connection(key, again).map { again != nil && !$0.isSettled } ?? true }
        return open(key, as: dial, while: isNeeded) { connection in
            let (pool, dial) = bound.value
            switch connection {
            case .http1(let upstream): return pool.loop.makeSucceededFuture(upstream)
            case .http2(let upstream):
                dial.handOver()
                guard !dial.isGivenUp else {
                    // Others waited for it as well, and have taken all its streams.
                    pool.keep(connection)
                    return pool.loop.makeFailedFuture(ChannelError.ioOnClosedChannel)
                }
                pool.share(upstream.value)
                return upstream.value.openStream()
            }
        }
    }

    /// Takes back a connection that carried a whole exchange, or was not needed; past the limit another connection is closed.
    func giveBack(_ upstream: UpstreamHandler) {
        if upstream.isStream {
            if !upstream.isUsed { upstream.close() }
            return
        }
        guard upstream.channel.isActive, isCurrent(upstream.madeBy) else {
            upstream.close()
            return
        }
        idle[upstream.key, default: []].append(upstream)
        idleCount += 1
        upstream.wait(in: self, for: keepAlive, watch)
        _ = makeRoom()
    }

    /// Counts an idle connection that is kept for one client, for which a shared one may be closed; returns false where there is no room.
    func admitBound() -> Bool {
        boundCount += 1
        if makeRoom() { return true }
        boundCount -= 1
        return false
    }

    /// Notes that a connection that was kept for one client is not idle any more.
    func boundLeft() { boundCount -= 1 }

    /// Notes that the last stream of one of its HTTP/2 connections has ended.
    func lastStreamEnded() {
        idleSharedCount += 1
        _ = makeRoom()
    }

    /// Notes that one of its HTTP/2 connections without a stream gets one.
    func firstStreamOpens() { idleSharedCount -= 1 }

    /// Closes the shared connections that have been idle for longest while there are too many; returns false where the others alone are too many.
    private func makeRoom() -> Bool {
        while idleCount + boundCount + idleSharedCount > limitCount {
            let plain = idle.values.compactMap(\.first).min { $0.idleUntil < $1.idleUntil }
            let stream = shared.values.joined().filter(\.isIdle).min { $0.idleSince < $1.idleSince }
            if let plain, stream.map({ plain.idleUntil <= $0.idleSince + keepAlive }) ?? true {
                remove(plain)
                plain.close()
            } else if let stream {
                stream.close()
            } else {
                return false
            }
        }
        return true
    }

    // MARK: For a tunnel and its handshake

    /// Whether an exchange could begin without a new connection.
    func isReady(_ key: UpstreamKey) -> Bool { idle[key] != nil || shared[key]?.contains(where: \.hasRoom) == true }

    /// Whether an open connection takes extended CONNECTs, as far as its upstream has said.
    func takesExtendedConnect(_ key: UpstreamKey) -> Bool {
        shared[key]?.contains { $0.hasRoom && $0.takesExtendedConnect == true } == true
    }

    /// A bare TCP connection; fails with an `ExchangeFailure`, or when the dial is given up.
    ///
    /// The configuration at its completion decides: a new one may not let the client go there, or send it another way.
    func dial(_ endpoint: Endpoint, for client: ClientConnection, as dial: Dial) -> EventLoopFuture<DialedUpstream> {
        let bound = NIOLoopBound((pool: self, client: client, dial: dial), eventLoop: loop)
        return connector.dial(endpoint, client.reach, as: dial).flatMap { dialed in
            let (pool, client, dial) = bound.value
            if let dialed = pool.current(dialed) { return pool.loop.makeSucceededFuture(dialed) }
            return pool.dial(endpoint, for: client, as: dial)
        }
    }

    /// A connection that was dialled in advance; closes it and returns `nil` where the configuration has changed since.
    func current(_ dialed: DialedUpstream?) -> DialedUpstream? {
        guard let dialed, !isCurrent(dialed.madeBy) else { return dialed }
        dialed.channel.close(promise: nil)
        return nil
    }

    /// Makes a new connection and keeps it; fails with an `ExchangeFailure`, or when the dial is given up.
    func establish(_ key: UpstreamKey, as dial: Dial) -> EventLoopFuture<Void> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        // Others may wait for this dial as well: it is not to wait where one of the pool would do.
        let isNeeded = { [weak self] in self?.isReady(key) != true }
        return open(key, as: dial, while: isNeeded) { connection in
            bound.value.keep(connection)
            return bound.value.loop.makeSucceededVoidFuture()
        }.flatMapErrorThrowing { error in
            guard error is UpstreamCount.NotNeeded else { throw error }
        }
    }

    /// Completes a dialled connection and keeps it; fails with an `ExchangeFailure`, or when the dial is given up.
    func establish(_ dialed: DialedUpstream, key: UpstreamKey, as dial: Dial = Dial()) -> EventLoopFuture<Void> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        return connector.open(dialed, key: key, as: dial).map { bound.value.keep($0) }
    }

    private func keep(_ connection: OpenConnection) {
        switch connection {
        case .http1(let upstream): giveBack(upstream.value)
        case .http2(let upstream):
            share(upstream.value)
            // It is of another configuration, or of no use, and is not handed out.
            if upstream.value.pool == nil { upstream.value.close() }
            _ = makeRoom()
        }
    }

    /// Opens a connection, which the exchange that dialled it uses before those that wait for it.
    ///
    /// It fails with `NotNeeded` where it waited for a place until it was not needed any more.
    private func open<Used: Sendable>(
        _ key: UpstreamKey,
        as dial: Dial,
        while isNeeded: @escaping () -> Bool = { true },
        use: @escaping @Sendable (OpenConnection) -> EventLoopFuture<Used>
    ) -> EventLoopFuture<Used> {
        let connector = NIOLoopBound(connector, eventLoop: loop)
        let asked = Asked(key: key, client: dial.client)
        let isShared =
            (connector.value.shared.memory.negotiated(key) == "h2" || key.offer == .priorKnowledge)
            && dialing[asked]?.dial.isGivenUp != false
        // A dial that others may wait for is given up only with the last of them.
        let made = NIOLoopBound(isShared ? Dial(for: dial.client) : dial, eventLoop: loop)
        made.value.isNeeded = isNeeded
        let opening = connector.value.dial(key.endpoint, key.reach, by: key.detour, as: made.value).flatMap {
            connector.value.open($0, key: key, as: made.value)
        }
        let used = opening.flatMap(use)
        guard isShared else { return used }
        let bound = NIOLoopBound(self, eventLoop: loop)
        let promise = loop.makePromise(of: Void.self)
        dial.wait(for: made.value)
        dialing[asked] = SharedDial(dial: made.value, ended: promise.futureResult)
        opening.assumeIsolated().whenComplete { result in
            made.value.handOver()
            // Another dial may have begun: by another configuration, or since all that waited for this one have left.
            if bound.value.dialing[asked]?.dial === made.value { bound.value.dialing[asked] = nil }
            switch result {
            case .success: promise.succeed()
            case .failure(let error): promise.fail(error)
            }
        }
        return used
    }

    private func share(_ upstream: HTTP2Upstream) {
        guard isCurrent(upstream.madeBy) else { return upstream.takeNoMore() }
        guard upstream.pool == nil, upstream.hasRoom else { return }
        upstream.pool = self
        upstream.idleLimit = keepAlive
        shared[upstream.key, default: []].append(upstream)
        if upstream.isIdle { idleSharedCount += 1 }
    }

    // MARK: Endings

    /// Forgets a connection that closed, or is to be closed.
    func remove(_ upstream: UpstreamHandler) {
        guard var list = idle[upstream.key], let position = list.firstIndex(where: { $0 === upstream }) else { return }
        list.remove(at: position)
        idle[upstream.key] = list.isEmpty ? nil : list
        idleCount -= 1
        upstream.keeper = nil
        watch.remove(upstream)
    }

    /// Forgets a connection that takes no more streams.
    func remove(_ upstream: HTTP2Upstream) {
        guard var list = shared[upstream.key], let position = list.firstIndex(where: { $0 === upstream }) else {
            return
        }
        list.remove(at: position)
        shared[upstream.key] = list.isEmpty ? nil : list
        if upstream.isIdle { idleSharedCount -= 1 }
        upstream.pool = nil
    }

    // MARK: Another configuration

    /// Connects by another configuration from now on, and hands out no connection of the one before.
    func follow(_ configuration: ProxyShared) {
        connector = UpstreamConnector(loop: loop, shared: configuration, watch: watch)
        keepAlive = configuration.configuration.upstreamKeepAliveTimeout
        limitCount = configuration.configuration.idleUpstreamLimitCount
        // Exchanges that wait for an earlier dial search again when it is over; no others wait for it.
        dialing = [:]
        for upstream in shared.values.flatMap({ $0 }) {
            upstream.takeNoMore()
            remove(upstream)
            if upstream.isIdle { upstream.close() }
        }
        closeAll()
    }

    private func isCurrent(_ made: ProxyShared?) -> Bool { made == nil || made === connector.shared }

    /// Closes every idle connection.
    func closeAll() {
        for upstream in idle.values.flatMap({ $0 }) {
            remove(upstream)
            upstream.close()
        }
        for upstream in shared.values.flatMap({ $0 }) where upstream.isIdle { upstream.close() }
    }
}
