import NIOCore

/// The upstream connections that belong to one client connection alone: a login was made on each, which counts for whatever follows there
/// (NTLM; Negotiate, RFC 4559 §6), and so for nobody else's requests.
///
/// Used on the loop of the client's connection only.
final class BoundUpstreams: UpstreamKeeper {
    /// A client that logs in to more upstreams by one connection logs in anew.
    private static let limitCount = 8

    private let loop: ProxyLoop
    private var idle: [UpstreamHandler] = []
    private var isOver = false

    init(_ loop: ProxyLoop) { self.loop = loop }

    /// The connection for a key, if there is one.
    func take(_ key: UpstreamKey) -> UpstreamHandler? {
        guard let found = idle.last(where: { $0.key == key }) else { return nil }
        remove(found)
        // One that was made by another configuration is not used any more.
        guard found.madeBy === loop.shared else {
            found.close()
            return nil
        }
        return found
    }

    /// Keeps a connection for the client's next request; past the limit the oldest is closed, and past that of the loop this one.
    func keep(_ upstream: UpstreamHandler) {
        guard !isOver, upstream.channel.isActive else { return upstream.close() }
        if idle.count >= Self.limitCount, let oldest = idle.first {
            remove(oldest)
            oldest.close()
        }
        guard loop.pool.admitBound() else { return upstream.close() }
        upstream.keeper = self
        upstream.idleUntil = loop.now + loop.configuration.keepAliveTimeout
        idle.append(upstream)
        loop.watch.add(upstream)
    }

    func remove(_ upstream: UpstreamHandler) {
        guard let position = idle.firstIndex(where: { $0 === upstream }) else { return }
        idle.remove(at: position)
        loop.pool.boundLeft()
        upstream.keeper = nil
        loop.watch.remove(upstream)
    }

    /// The client's connection is over: so are they.
    func close() {
        isOver = true
        for upstream in idle {
            remove(upstream)
            upstream.close()
        }
    }
}
