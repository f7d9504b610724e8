import NIOConcurrencyHelpers
import NIOCore
import Traffic

/// Which upstreams' handshakes went well lately, and the application protocol each agreed: what a client is offered depends on it before its
/// own handshake.
final class HandshakeMemory: Sendable {
    private static let limitCount = 4_096

    private let outcomes = NIOLockedValueBox<[UpstreamKey: (until: NIODeadline, negotiated: String?)]>([:])
    private let lifetime: TimeAmount

    init(lifetime: TimeAmount) { self.lifetime = lifetime }

    /// Whether a handshake went well not long ago.
    func isKnownGood(_ key: UpstreamKey) -> Bool { known(key) != nil }

    /// Whether the last handshake, not long ago, agreed on HTTP/2.
    func isHTTP2(_ key: UpstreamKey) -> Bool { known(key)?.negotiated == "h2" }

    /// Keeps the outcome of a handshake that went well.
    func keep(_ key: UpstreamKey, negotiated: String?) {
        outcomes.withLockedValue { outcomes in
            if outcomes.count >= Self.limitCount { outcomes.removeAll(keepingCapacity: true) }
            outcomes[key] = (.now() + lifetime, negotiated)
        }
    }

    /// Forgets an upstream whose handshake failed.
    func forget(_ key: UpstreamKey) { outcomes.withLockedValue { _ = $0.removeValue(forKey: key) } }

    private func known(_ key: UpstreamKey) -> (until: NIODeadline, negotiated: String?)? {
        outcomes.withLockedValue { outcomes in
            guard let known = outcomes[key], known.until > .now() else { return nil }
            return known
        }
    }
}
