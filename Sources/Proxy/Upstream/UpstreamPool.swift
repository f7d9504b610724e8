import DequeModule
import NIOCore
import Traffic

/// One event loop's upstream connections that no exchange is on: the last used is used again first.
final class UpstreamPool {
    private let connector: UpstreamConnector
    private let watch: LoopWatch
    private let keepAlive: TimeAmount
    private let limitCount: Int
    private var idle: [UpstreamKey: [UpstreamHandler]] = [:]
    private var idleCount = 0

    init(loop: any EventLoop, shared: ProxyShared, watch: LoopWatch) {
        connector = UpstreamConnector(loop: loop, shared: shared)
        self.watch = watch
        keepAlive = shared.configuration.upstreamKeepAliveTimeout
        limitCount = shared.configuration.idleUpstreamLimitCount
    }

    /// An idle connection, if there is one.
    func take(_ key: UpstreamKey) -> UpstreamHandler? {
        guard var list = idle[key], let last = list.popLast() else { return nil }
        idle[key] = list.isEmpty ? nil : list
        idleCount -= 1
        last.pool = nil
        watch.remove(last)
        return last
    }

    /// Whether there is an idle connection.
    func hasIdle(_ key: UpstreamKey) -> Bool { idle[key] != nil }

    /// A new connection; fails with an `ExchangeFailure`.
    func open(_ key: UpstreamKey) -> EventLoopFuture<OpenUpstream> {
        let bound = NIOLoopBound((connector, watch), eventLoop: connector.loop)
        return connector.dial(key.endpoint).flatMap { dialed in
            let (connector, watch) = bound.value
            return connector.open(dialed, key: key, watch: watch)
        }
    }

    /// A TCP connection without anything on it.
    func dial(_ endpoint: Endpoint) -> EventLoopFuture<DialedUpstream> { connector.dial(endpoint) }

    /// Makes a connection of a dialed one.
    func open(_ dialed: DialedUpstream, key: UpstreamKey) -> EventLoopFuture<OpenUpstream> {
        connector.open(dialed, key: key, watch: watch)
    }

    /// Takes a connection back; past the limit it is closed.
    func put(_ upstream: UpstreamHandler) {
        guard upstream.channel.isActive, idleCount < limitCount else {
            upstream.close()
            return
        }
        upstream.pool = self
        upstream.idleUntil = .now() + keepAlive
        idle[upstream.key, default: []].append(upstream)
        idleCount += 1
        watch.add(upstream)
    }

    /// Forgets a connection that closed, or is to be closed.
    func remove(_ upstream: UpstreamHandler) {
        guard var list = idle[upstream.key], let position = list.firstIndex(where: { $0 === upstream }) else { return }
        list.remove(at: position)
        idle[upstream.key] = list.isEmpty ? nil : list
        idleCount -= 1
        upstream.pool = nil
        watch.remove(upstream)
    }

    /// Closes every idle connection.
    func closeAll() {
        for upstream in idle.values.flatMap({ $0 }) {
            remove(upstream)
            upstream.close()
        }
    }
}
