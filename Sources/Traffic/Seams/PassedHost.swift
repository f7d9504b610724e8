/// A host, or a pattern of hosts, whose TLS a running proxy passes through unread.
package struct PassedHost: Hashable, Sendable {
    /// In lower case; `*` stands for anything.
    package var host: String
    /// Whether it was added while the proxy ran, rather than by its options.
    package var isAdded: Bool

    package init(host: String, isAdded: Bool) {
        self.host = host
        self.isAdded = isAdded
    }
}
