import NIOCore
import Traffic

/// Another way to an upstream than the usual one.
struct UpstreamDetour: Hashable, Sendable {
    /// Addresses to connect to in the place of those that the upstream's name has; empty where the name is looked up.
    var addresses: [String]
    /// The proxy to go through; `nil` for the one that is configured, if any.
    var proxy: UpstreamProxy?

    /// A detour; `nil` where it would be the usual way.
    init?(addresses: [String], proxy: UpstreamProxy?) {
        guard !addresses.isEmpty || proxy != nil else { return nil }
        self.addresses = addresses
        self.proxy = proxy
    }

    /// The addresses with a port; `nil` where the name is looked up.
    func places(port: Int) -> [SocketAddress]? {
        addresses.isEmpty ? nil : addresses.compactMap { try? SocketAddress(ipAddress: $0, port: port) }
    }
}
