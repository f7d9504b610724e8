import NIOConcurrencyHelpers
import Traffic

/// The programs of this machine that sent us requests, and in which hosts' names.
///
/// A program that accepts our certificate for some hosts and refuses it for another is pinning that host.
final class TrustingPrograms: Sendable {
    private static let limitCount = 1_024
    private static let hostLimitCount = 64

    private let seen = NIOLockedValueBox<[LocalProcess: [String]]>([:])

    /// Notes that a program accepted our certificate for a host, and sent a request.
    func took(_ program: LocalProcess, host: String) {
        seen.withLockedValue { seen in
            if seen.count >= Self.limitCount { seen.removeAll(keepingCapacity: true) }
            var hosts = seen[program] ?? []
            guard hosts.count < Self.hostLimitCount, !hosts.contains(host) else { return }
            hosts.append(host)
            seen[program] = hosts
        }
    }

    /// Whether a program has sent a request to this host.
    func asked(_ program: LocalProcess, host: String) -> Bool {
        seen.withLockedValue { $0[program]?.contains(host) ?? false }
    }

    /// Whether a program has accepted our certificate for some other host.
    func trusts(_ program: LocalProcess, besides host: String) -> Bool {
        seen.withLockedValue { $0[program]?.contains { $0 != host } ?? false }
    }
}
