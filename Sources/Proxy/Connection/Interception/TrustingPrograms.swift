import NIOConcurrencyHelpers
import Traffic

/// Which programs of this machine sent a request to us in a host's name: one that did so for others and refuses our certificate for one pins that one's.
final class TrustingPrograms: Sendable {
    private static let limitCount = 1_024
    private static let hostLimitCount = 64

    private let seen = NIOLockedValueBox<[LocalProcess: [String]]>([:])

    /// A program took our certificate for a host, and asked for something.
    func took(_ program: LocalProcess, host: String) {
        seen.withLockedValue { seen in
            if seen.count >= Self.limitCount { seen.removeAll(keepingCapacity: true) }
            var hosts = seen[program] ?? []
            guard hosts.count < Self.hostLimitCount, !hosts.contains(host) else { return }
            hosts.append(host)
            seen[program] = hosts
        }
    }

    /// Whether a program asked for something in this host's name.
    func asked(_ program: LocalProcess, host: String) -> Bool {
        seen.withLockedValue { $0[program]?.contains(host) ?? false }
    }

    /// Whether a program took it for some other host.
    func trusts(_ program: LocalProcess, besides host: String) -> Bool {
        seen.withLockedValue { $0[program]?.contains { $0 != host } ?? false }
    }
}
