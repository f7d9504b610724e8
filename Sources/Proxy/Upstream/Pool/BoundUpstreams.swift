import NIOCore

/// The upstream connections that only one client connection may use.
///
/// A login was made on each that holds for the whole connection (NTLM; Negotiate, RFC 4559 §6), so no other client's requests may follow there.
/// Used on the loop of the client's connection only.
final class BoundUpstreams: UpstreamKeeper {
    /// The most connections that are kept for a client connection; a client that logs in to more upstreams has to log in again.
    private static let limitCount = 8

    private let loop: ProxyLoop
    private var idle: [UpstreamHandler] = []
    private var isOver = false

    init(_ loop: ProxyLoop) { self.loop = loop }

    /// The connection for a key, if there is one.
    func take(_ key: UpstreamKey) -> UpstreamHandler? {
        guard let found = idle.last(where: { $0.key == key }) else { return nil }
        remove(found)
        // A connection that was made by another configuration is not used any more.
        guard found.madeBy === loop.shared else {
            found.close()
            return nil
        }
        return found
    }

    /// Keeps a connection for the client's next request; past the limit the oldest is closed, and past the loop's limit this one.
    func keep(_ upstream: UpstreamHandler) {
        guard !isOver, upstream.channel.isActive else { return upstream.close() }
        if idle.count >= Self.limitCount, let oldest = idle.first {
            remove(oldest)
            oldest.close()
        }
        guard loop.pool.admitBound() else { return upstream.close() }
        idle.append(upstream)
        upstream.wait(in: self, for: loop.configuration.keepAliveTimeout, loop.watch)
    }

    func remove(_ upstream: UpstreamHandler) {
        guard let position = idle.firstIndex(where: { $0 === upstream }) else { return }
        idle.remove(at: position)
        loop.pool.boundLeft()
        upstream.keeper = nil
        loop.watch.remove(upstream)
    }

    /// Closes them all, since the client's connection is over.
    func close() {
        isOver = true
        for upstream in idle {
            remove(upstream)
            upstream.close()
        }
    }
}
