import NIOConcurrencyHelpers
import NIOCore
import Traffic

/// Which upstreams' handshakes went well lately, and the application protocol each agreed: what a client is offered depends on it before its
/// own handshake.
final class HandshakeMemory: Sendable {
    private static let limitCount = 4_096

    private let outcomes = NIOLockedValueBox<[UpstreamKey: (until: NIODeadline, negotiated: String?)]>([:])
    /// Until when upstreams that refused a handshake for HTTP/1.1 alone are taken to do so.
    private let refusals = NIOLockedValueBox<[UpstreamKey: NIODeadline]>([:])
    private let lifetime: TimeAmount
    private let clock: ProxyClock

    /// - Parameters:
    ///   - lifetime: how long an outcome is kept.
    ///   - clock: what that is measured by.
    init(lifetime: TimeAmount, clock: ProxyClock) {
        self.lifetime = lifetime
        self.clock = clock
    }

    /// Whether a handshake went well not long ago.
    func isKnownGood(_ key: UpstreamKey) -> Bool { known(key) != nil }

    /// What the last handshake, not long ago, agreed on by ALPN; `nil` for nothing.
    func negotiated(_ key: UpstreamKey) -> String? { known(key)?.negotiated }

    /// Keeps the outcome of a handshake that went well.
    func keep(_ key: UpstreamKey, negotiated: String?) {
        outcomes.withLockedValue { outcomes in
            if outcomes.count >= Self.limitCount { outcomes.removeAll(keepingCapacity: true) }
            outcomes[key] = (clock.now + lifetime, negotiated)
        }
    }

    /// Forgets an upstream whose handshake failed.
    func forget(_ key: UpstreamKey) { outcomes.withLockedValue { _ = $0.removeValue(forKey: key) } }

    /// Keeps that an upstream speaks none of the protocols it was offered.
    func keepRefusal(_ key: UpstreamKey) {
        refusals.withLockedValue { refusals in
            if refusals.count >= Self.limitCount { refusals.removeAll(keepingCapacity: true) }
            refusals[key] = clock.now + lifetime
        }
    }

    /// The same, with HTTP/2 offered too where the upstream was found to refuse HTTP/1.1 alone.
    func offerable(_ key: UpstreamKey) -> UpstreamKey {
        guard key.offer == .http1, key.serverName != nil else { return key }
        let until = refusals.withLockedValue { $0[key] }
        return until.map { $0 > clock.now } == true ? key.offering(.both) : key
    }

    private func known(_ key: UpstreamKey) -> (until: NIODeadline, negotiated: String?)? {
        outcomes.withLockedValue { outcomes in
            guard let known = outcomes[key], known.until > clock.now else { return nil }
            return known
        }
    }
}
