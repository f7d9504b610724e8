import NIOCore
package import Traffic

/// One way in: an address of ours, and how connections to it say where they want to go.
package struct ListenMode: Hashable, Sendable, CustomStringConvertible {
    /// How a connection says where it wants to go.
    package enum Way: Hashable, Sendable {
        /// As a client of an HTTP proxy: each request names its URL, or asks for a tunnel (RFC 9110 §7.6, §9.3.6).
        case explicit
        /// As a client of a SOCKS 5 proxy (RFC 1928), with these credentials or those of every listener (RFC 1929).
        case socks5(Credentials?)
        /// It does not: everything goes to one upstream.
        case reverse(Scheme, Endpoint)
        /// It does not: the kernel redirected it here and knows the address it was meant for (Linux).
        case transparent

        /// Whether clients speak HTTP from their first byte, so that a refusal can be an HTTP response.
        var isHTTP: Bool {
            switch self {
            case .explicit, .reverse: true
            case .socks5, .transparent: false
            }
        }
    }

    /// How a connection says where it wants to go.
    package var way: Way
    /// The address to listen on, IPv6 without brackets.
    package var host: String
    /// The port to listen on; 0 lets the system pick.
    package var port: Int

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        host == "localhost" || (try? SocketAddress(ipAddress: host, port: port))?.isLoopback == true
    }

    package init(_ way: Way, host: String, port: Int) {
        self.way = way
        self.host = host
        self.port = port
    }

    /// The address with its port, IPv6 in brackets.
    package var place: String { Endpoint(host: host, port: port).description }

    /// The name of the way, without credentials; that of `reverse` includes its upstream.
    package var name: String {
        switch way {
        case .explicit: "explicit"
        case .socks5: "socks5"
        case .reverse(let scheme, let upstream): "reverse:\(scheme.rawValue)://\(upstream)"
        case .transparent: "transparent"
        }
    }

    package var description: String { "\(name)@\(place)" }
}
