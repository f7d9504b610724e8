import NIOConcurrencyHelpers
import NIOCore
import Traffic

/// How the last handshake with each upstream went, for a while: what a client is told depends on it before its own handshake.
final class HandshakeMemory: Sendable {
    private static let limitCount = 4_096

    private let outcomes = NIOLockedValueBox<[UpstreamKey: (until: NIODeadline, failure: ExchangeFailure?)]>([:])
    private let lifetime: TimeAmount

    init(lifetime: TimeAmount) { self.lifetime = lifetime }

    /// Whether a handshake went well not long ago.
    func isKnownGood(_ key: UpstreamKey) -> Bool {
        outcomes.withLockedValue { outcomes in
            guard let known = outcomes[key], known.until > .now() else { return false }
            return known.failure == nil
        }
    }

    /// Keeps an outcome; a failure only for a moment, so that a mended certificate is seen at the next try.
    func keep(_ key: UpstreamKey, failure: ExchangeFailure?) {
        outcomes.withLockedValue { outcomes in
            if outcomes.count >= Self.limitCount { outcomes.removeAll(keepingCapacity: true) }
            outcomes[key] = (.now() + (failure == nil ? lifetime : .seconds(1)), failure)
        }
    }
}
