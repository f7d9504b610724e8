import NIOConcurrencyHelpers
import NIOCore
import Traffic

/// The upstreams whose handshakes succeeded lately, with the application protocol that each agreed on.
///
/// What a client is offered depends on it, before its own handshake.
final class HandshakeMemory: Sendable {
    private static let limitCount = 4_096

    private let outcomes = NIOLockedValueBox<[UpstreamKey: (until: NIODeadline, negotiated: String?)]>([:])
    /// The upstreams that refuse a handshake for HTTP/1.1 alone, and until when that is believed.
    private let refusals = NIOLockedValueBox<[UpstreamKey: NIODeadline]>([:])
    private let lifetime: TimeAmount
    private let clock: ProxyClock

    /// - Parameters:
    ///   - lifetime: how long an outcome is kept.
    ///   - clock: measures that time.
    init(lifetime: TimeAmount, clock: ProxyClock) {
        self.lifetime = lifetime
        self.clock = clock
    }

    /// Whether a handshake succeeded not long ago.
    func isKnownGood(_ key: UpstreamKey) -> Bool { known(key) != nil }

    /// The application protocol that the last handshake, not long ago, agreed on (ALPN); `nil` for none.
    func negotiated(_ key: UpstreamKey) -> String? { known(key)?.negotiated }

    /// Remembers the outcome of a handshake that succeeded.
    func keep(_ key: UpstreamKey, negotiated: String?) {
        outcomes.withLockedValue { outcomes in
            if outcomes.count >= Self.limitCount { outcomes.removeAll(keepingCapacity: true) }
            outcomes[key] = (clock.now + lifetime, negotiated)
        }
    }

    /// Forgets an upstream whose handshake failed.
    func forget(_ key: UpstreamKey) { outcomes.withLockedValue { _ = $0.removeValue(forKey: key) } }

    /// Remembers that an upstream speaks none of the protocols that it was offered.
    func keepRefusal(_ key: UpstreamKey) {
        refusals.withLockedValue { refusals in
            if refusals.count >= Self.limitCount { refusals.removeAll(keepingCapacity: true) }
            refusals[key] = clock.now + lifetime
        }
    }

    /// The key to connect by: with HTTP/2 offered too where the upstream was found to refuse HTTP/1.1 alone.
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
