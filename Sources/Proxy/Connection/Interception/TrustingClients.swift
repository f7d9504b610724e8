import NIOConcurrencyHelpers
import NIOCore

/// Which clients went through with a handshake for which host a moment ago: they trust our certificate, so when a
/// spare connection of theirs is closed half-way it refuses nothing.
///
/// Browsers and connection pools open more connections than they use.
final class TrustingClients: Sendable {
    private struct Key: Hashable {
        var address: String
        var host: String
    }

    private static let limitCount = 4_096
    /// Short, because another program of the same machine may trust less.
    private static let memory = TimeAmount.seconds(5)

    private let seen = NIOLockedValueBox<[Key: NIODeadline]>([:])
    private let clock: ProxyClock

    /// Makes one that knows nobody; `clock` is what its memory is measured by.
    init(clock: ProxyClock) { self.clock = clock }

    /// A handshake was completed.
    func completed(address: String, host: String) {
        let until = clock.now + Self.memory
        seen.withLockedValue { seen in
            if seen.count >= Self.limitCount { seen.removeAll(keepingCapacity: true) }
            seen[Key(address: Self.host(address), host: host)] = until
        }
    }

    /// Whether the client completed one with this host within the last seconds.
    func contains(address: String, host: String) -> Bool {
        seen.withLockedValue { $0[Key(address: Self.host(address), host: host)].map { $0 > clock.now } ?? false }
    }

    /// An address without its port.
    private static func host(_ address: String) -> String {
        String(address[..<(address.utf8.lastIndex(of: UInt8(ascii: ":")) ?? address.endIndex)])
    }
}
