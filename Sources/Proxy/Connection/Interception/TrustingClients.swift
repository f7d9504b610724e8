import NIOConcurrencyHelpers
import NIOCore

/// The clients that completed a handshake, or sent a request, for a host a moment ago.
///
/// They trust our certificate, so a spare connection of theirs that closes half-way refuses nothing: browsers and connection pools open more
/// connections than they use.
final class TrustingClients: Sendable {
    private struct Key: Hashable {
        var address: String
        var host: String
    }

    private static let limitCount = 4_096
    /// How long a client is remembered; short, because another program of the same machine may trust less.
    private static let memory = TimeAmount.seconds(5)

    private let seen = NIOLockedValueBox<[Key: NIODeadline]>([:])
    private let clock: ProxyClock

    /// Makes an empty memory; `clock` measures how old its entries are.
    init(clock: ProxyClock) { self.clock = clock }

    /// Notes that a client completed a handshake, or sent a request.
    func completed(address: String, host: String) {
        let until = clock.now + Self.memory
        seen.withLockedValue { seen in
            if seen.count >= Self.limitCount { seen.removeAll(keepingCapacity: true) }
            seen[Key(address: Self.host(address), host: host)] = until
        }
    }

    /// Whether the client did so for this host within the last seconds.
    func contains(address: String, host: String) -> Bool {
        seen.withLockedValue { $0[Key(address: Self.host(address), host: host)].map { $0 > clock.now } ?? false }
    }

    /// An address without its port.
    private static func host(_ address: String) -> String {
        String(address[..<(address.utf8.lastIndex(of: UInt8(ascii: ":")) ?? address.endIndex)])
    }
}
