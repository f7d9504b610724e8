import NIOCore
import NIOPosix
import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Resolves names with the system's resolver, off the event loops.
final class NameResolver: Sendable {
    private let overrides: [NameOverride]

    /// - Parameter overrides: what stands in place of the system's answers; of several for a host and port the last one does.
    init(overrides: [NameOverride] = []) { self.overrides = overrides }

    /// The addresses that stand for an endpoint; `nil` where the system is asked.
    ///
    /// A named host goes before every host.
    func override(of endpoint: Endpoint) -> [SocketAddress]? {
        let fitting = overrides.filter { $0.port == endpoint.port }
        guard let found = fitting.last(where: { $0.host == endpoint.host }) ?? fitting.last(where: { $0.host == nil })
        else { return nil }
        return found.addresses.compactMap { try? SocketAddress(ipAddress: $0, port: endpoint.port) }
    }

    /// The addresses of an endpoint that needs no look-up; `nil` for a name.
    func known(_ endpoint: Endpoint) -> [SocketAddress]? {
        override(of: endpoint) ?? (try? SocketAddress(ipAddress: endpoint.host, port: endpoint.port)).map { [$0] }
    }

    /// The addresses of an endpoint in the system's order; an address needs no look-up.
    func addresses(of endpoint: Endpoint, on loop: any EventLoop) -> EventLoopFuture<[SocketAddress]> {
        if let addresses = known(endpoint) { return loop.makeSucceededFuture(addresses) }
        return NIOThreadPool.singleton.runIfActive(eventLoop: loop) { try NameResolver.lookUp(endpoint) }
    }

    private static func lookUp(_ endpoint: Endpoint) throws -> [SocketAddress] {
        var hints = addrinfo()
        #if canImport(Darwin)
        hints.ai_socktype = SOCK_STREAM
        #else
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(endpoint.host, String(endpoint.port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0 else {
            let isUnknown = status == EAI_NONAME
            throw ExchangeFailure(
                side: .upstream,
                phase: .dns,
                cause: isUnknown ? "unknown-name" : "dns",
                message: "The name \(endpoint.host) could not be resolved: \(String(cString: gai_strerror(status))).",
                retry: true
            )
        }
        var found: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let raw = entry.ai_addr {
                switch entry.ai_family {
                case AF_INET:
                    found.append(raw.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) })
                case AF_INET6:
                    found.append(
                        raw.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) }
                    )
                default: break
                }
            }
            next = entry.ai_next
        }
        return found
    }
}

/// Hands NIO's happy eyeballs the addresses that were resolved and checked before.
struct ResolvedAddresses: Resolver, Sendable {
    let addresses: [SocketAddress]
    let loop: any EventLoop

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        loop.makeSucceededFuture(addresses.filter { $0.protocol == .inet })
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        loop.makeSucceededFuture(addresses.filter { $0.protocol == .inet6 })
    }

    func cancelQueries() {}
}
