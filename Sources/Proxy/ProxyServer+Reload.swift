import NIOConcurrencyHelpers
import NIOCore
package import Trust

/// What a running proxy tells of itself, and how it takes another configuration.
extension ProxyServer {
    /// How much the proxy has under way at a moment.
    package struct Figures: Sendable {
        /// Open client connections.
        package var connections: Int
        /// Upstream connections that are open, idle ones too, or being opened.
        package var upstreams: Int
        /// Bytes handed to the record and not yet committed, and the bound at which reading pauses.
        package var queueBytes: Int
        package var queueLimitBytes: Int
        /// Exchanges whose clients had their end before the record did, since a commit took longer than it is waited for.
        package var lateCount: Int
    }

    /// How much is under way now.
    package var figures: Figures {
        Figures(
            connections: shared.connections.openCount,
            upstreams: shared.upstreams.openCount,
            queueBytes: budget.heldBytes,
            queueLimitBytes: budget.limitBytes,
            lateCount: shared.late.count
        )
    }

    /// Returns once every event loop has had a turn, which shows that none is stuck.
    package func beat() async throws {
        for loop in loops { try await loop.eventLoop.submit {}.get() }
    }

    /// Uses another configuration for what begins from now on.
    ///
    /// No listener closes. No exchange or tunnel is broken off, except where it leads to this machine and its client may not come here any more.
    ///
    /// Limits, timeouts, credentials, pass-through, and everything about upstreams change: their roots, our certificates, names and proxy. Listeners,
    /// the key log and what the store keeps of bodies do not. Idle upstream connections are closed, since they were opened by other rules.
    ///
    /// - Parameters:
    ///   - configuration: what holds from now on.
    ///   - authority: signs what clients are shown; leaves are made anew only where its root is another.
    /// - Throws: `ProxyStartError`, or what TLS says of its material; then nothing has changed.
    package func reload(_ configuration: ProxyConfiguration, authority: CertificateAuthority) async throws {
        let before = shared
        let isSameRoot = before.rootDER == authority.root.der
        let next = ProxyShared(
            following: before,
            configuration: configuration,
            rootDER: authority.root.der,
            interception: isSameRoot
                ? before.interception : try InterceptionContexts(authority: authority, keyLog: keyLog),
            upstreamTLS: try UpstreamTLS(
                configuration: configuration,
                ownRootDER: authority.root.der,
                keyLog: keyLog
            )
        )
        current.withLockedValue { $0 = next }
        next.connections.allow(configuration.connectionLimitCount)
        next.upstreams.allow(configuration.upstreamLimitCount)
        for loop in loops { try await loop.eventLoop.submit { loop.value.follow(next) }.get() }
    }
}
