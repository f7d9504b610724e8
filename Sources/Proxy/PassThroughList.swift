import NIOConcurrencyHelpers
import Traffic

/// The hosts whose TLS is never read: those of the configuration, and what was added or taken away since.
final class PassThroughList: Sendable {
    /// More are not taken: each new connection is held against all.
    private static let limitCount = 1_000

    private struct Listed {
        var pattern: HostPattern
        /// Whether it was added while the proxy ran.
        var isAdded: Bool
    }

    private let listed: NIOLockedValueBox<[Listed]>

    init(_ patterns: [HostPattern]) {
        listed = NIOLockedValueBox(patterns.map { Listed(pattern: $0, isAdded: false) })
    }

    /// The hosts of another configuration, with those that were added while the proxy ran.
    init(_ patterns: [HostPattern], following before: PassThroughList) {
        let added = before.listed.withLockedValue { $0.filter { $0.isAdded && !patterns.contains($0.pattern) } }
        listed = NIOLockedValueBox(patterns.map { Listed(pattern: $0, isAdded: false) } + added)
    }

    /// Whether a host is on it.
    func contains(_ host: String) -> Bool {
        let bytes = HostPattern.bytes(of: host)
        return listed.withLockedValue { $0.contains { $0.pattern.matches(bytes) } }
    }

    /// All of it, the last added at the end.
    var all: [PassedHost] {
        listed.withLockedValue { $0.map { PassedHost(host: $0.pattern.description, isAdded: $0.isAdded) } }
    }

    /// Puts a host or a pattern on it; one that is there stays as it is.
    ///
    /// - Throws: `PassThroughError` for what is no host, and past the limit.
    func add(_ host: String) throws {
        guard let pattern = HostPattern(host) else {
            throw PassThroughError(
                "\(host) is no host: expected a name, an address or a pattern such as *.example.com, without a port"
            )
        }
        let isFull = listed.withLockedValue { listed in
            guard !listed.contains(where: { $0.pattern == pattern }) else { return false }
            guard listed.count < PassThroughList.limitCount else { return true }
            listed.append(Listed(pattern: pattern, isAdded: true))
            return false
        }
        if isFull {
            throw PassThroughError(
                "\(PassThroughList.limitCount) hosts are passed through already; use a pattern with *"
            )
        }
    }

    /// Takes it away, whoever put it there; false when it is not on the list as it is written.
    func remove(_ host: String) -> Bool {
        guard let pattern = HostPattern(host) else { return false }
        return listed.withLockedValue { listed in
            let count = listed.count
            listed.removeAll { $0.pattern == pattern }
            return listed.count < count
        }
    }
}

extension ProxyServer {
    package func passedThrough() -> [PassedHost] { passThrough.all }

    package func passThrough(_ host: String) throws { try passThrough.add(host) }

    package func readAgain(_ host: String) -> Bool { passThrough.remove(host) }
}
