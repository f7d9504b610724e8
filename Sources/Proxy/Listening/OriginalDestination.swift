import CNIOLinux
import NIOCore
import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The address that a redirected connection was meant for, as the kernel keeps it (netfilter's `REDIRECT`).
enum OriginalDestination {
    /// Whether this system can tell it.
    #if os(Linux)
    static let isKnown = true
    #else
    static let isKnown = false
    #endif

    /// The address; our own listener's where the connection was not redirected, `nil` where the kernel cannot tell.
    static func of(_ channel: any Channel) -> Endpoint? {
        #if os(Linux)
        let found = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { socket in v4(socket) ?? v6(socket) }
        guard let address = (found ?? nil) ?? channel.localAddress, let host = address.ipAddress,
            let port = address.port, port > 0
        else { return nil }
        return Endpoint(host: ASCII.lower(host), port: port)
        #else
        return nil
        #endif
    }

    #if os(Linux)
    /// `SO_ORIGINAL_DST` (linux/netfilter_ipv4.h) and `IP6T_SO_ORIGINAL_DST` (linux/netfilter_ipv6/ip6_tables.h) are the same number.
    private static let option: Int32 = 80

    private static func v4(_ socket: NIOBSDSocket.Handle) -> SocketAddress? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard getsockopt(socket, Int32(IPPROTO_IP), option, &address, &length) == 0,
            address.sin_family == sa_family_t(AF_INET)
        else { return nil }
        return SocketAddress(address)
    }

    private static func v6(_ socket: NIOBSDSocket.Handle) -> SocketAddress? {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        guard getsockopt(socket, Int32(IPPROTO_IPV6), option, &address, &length) == 0,
            address.sin6_family == sa_family_t(AF_INET6)
        else { return nil }
        return SocketAddress(address)
    }
    #endif
}
