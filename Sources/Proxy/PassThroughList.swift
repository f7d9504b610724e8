import NIOConcurrencyHelpers
package import Traffic

/// The hosts whose TLS is never read: those of the configuration, with what users added or removed since.
final class PassThroughList: Sendable {
    /// The most patterns on the list: each new connection is compared with all of them.
    private static let limitCount = 1_000

    private struct Listed {
        var pattern: HostPattern
        /// Whether the pattern was added while the proxy ran.
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

    /// Whether a host is on the list.
    func contains(_ host: String) -> Bool {
        let bytes = HostPattern.bytes(of: host)
        return listed.withLockedValue { $0.contains { $0.pattern.matches(bytes) } }
    }

    /// Every pattern, the last added at the end.
    var all: [PassedHost] {
        listed.withLockedValue { $0.map { PassedHost(host: $0.pattern.description, isAdded: $0.isAdded) } }
    }

    /// Adds a host or a pattern; one that is on the list stays as it is.
    ///
    /// - Throws: `PassThroughError` where the text is no host, or the list is full.
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

    /// Removes a pattern, whoever added it.
    ///
    /// - Returns: false where the list has no pattern of exactly this text.
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
