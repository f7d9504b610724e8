import NIOCore
import Traffic

/// Addresses that replace the resolver's answer for a host and a port, as in `curl --resolve`.
package struct NameOverride: Hashable, Sendable {
    /// The host in lower case; `nil` for every host.
    package var host: String?
    package var port: Int
    /// At least one IP address, in the order in which they are tried.
    package var addresses: [String]

    /// - Returns: `nil` where one of the addresses is not an IP address, or there is none.
    package init?(host: String?, port: Int, addresses: [String]) {
        guard !addresses.isEmpty,
            addresses.allSatisfy({ (try? SocketAddress(ipAddress: $0, port: port)) != nil })
        else { return nil }
        self.host = host.map { ASCII.lower($0) }
        self.port = port
        self.addresses = addresses
    }
}
