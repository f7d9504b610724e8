import NIOCore
import NIOPosix

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension ServerBootstrap {
    #if canImport(Darwin)
    private static let idle = TCP_KEEPALIVE
    #else
    private static let idle = TCP_KEEPIDLE
    #endif

    /// Has the system ask whether a silent client is still there (RFC 9293 §3.8.4): after a minute, and four times in the next.
    ///
    /// A phone that leaves its network says nothing, and an exchange that gives it no answer would be kept for ever.
    func asksSilentClients() -> ServerBootstrap {
        // Accepted sockets inherit it.
        serverChannelOption(.socketOption(.so_keepalive), value: 1)
            .serverChannelOption(.tcpOption(.init(rawValue: Self.idle)), value: 60)
            .serverChannelOption(.tcpOption(.init(rawValue: TCP_KEEPINTVL)), value: 15)
            .serverChannelOption(.tcpOption(.init(rawValue: TCP_KEEPCNT)), value: 4)
    }
}
