import NIOCore
import NIOPosix

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension ServerBootstrap {
    private static let idleSeconds: SocketOptionValue = 60

    #if canImport(Darwin)
    private static let idle = TCP_KEEPALIVE
    #else
    private static let idle = TCP_KEEPIDLE
    #endif

    /// Has the system ask whether a silent client is still there (RFC 9293 §3.8.4): after a minute, and four times in the next.
    ///
    /// A phone that leaves its network says nothing, and an exchange that gives it no answer would be kept for ever.
    func asksSilentClients() -> ServerBootstrap {
        // Accepted sockets inherit it, but for the idle time on some systems (`askWhenSilent`).
        serverChannelOption(.socketOption(.so_keepalive), value: 1)
            .serverChannelOption(.tcpOption(.init(rawValue: Self.idle)), value: Self.idleSeconds)
            .serverChannelOption(.tcpOption(.init(rawValue: TCP_KEEPINTVL)), value: 15)
            .serverChannelOption(.tcpOption(.init(rawValue: TCP_KEEPCNT)), value: 4)
    }

    /// Has the system ask the client of a connection that was accepted after that minute: Darwin's sockets do not inherit how long they wait first.
    static func askWhenSilent(_ channel: any Channel) {
        // It fails where the client is gone already, which is no harm.
        try? channel.syncOptions?.setOption(.tcpOption(.init(rawValue: idle)), value: idleSeconds)
    }
}
