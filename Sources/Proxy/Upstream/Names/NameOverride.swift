import NIOCore
import Traffic

/// Addresses that stand for a host and a port in place of what the resolver says, as `curl --resolve` takes them.
package struct NameOverride: Hashable, Sendable {
    /// In lower case; `nil` for every host.
    package var host: String?
    package var port: Int
    /// At least one IP address, in the order they are tried.
    package var addresses: [String]

    /// - Returns: `nil` when an address is none, or there is none.
    package init?(host: String?, port: Int, addresses: [String]) {
        guard !addresses.isEmpty,
            addresses.allSatisfy({ (try? SocketAddress(ipAddress: $0, port: port)) != nil })
        else { return nil }
        self.host = host.map { ASCII.lower($0) }
        self.port = port
        self.addresses = addresses
    }
}
