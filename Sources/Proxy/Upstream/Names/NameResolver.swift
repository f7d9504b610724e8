import NIOCore
import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Resolves names off the event loops: by the user's overrides first, and then by the system.
struct NameResolver: Sendable {
    private let overrides: [NameOverride]
    private let lookUps: NameLookUps
    private let limit: TimeAmount

    /// - Parameters:
    ///   - overrides: replace the system's answers; of several for a host and port the last one counts.
    ///   - lookUps: asks the system.
    ///   - limit: how long to wait for its answer.
    init(overrides: [NameOverride], lookUps: NameLookUps, limit: TimeAmount) {
        self.overrides = overrides
        self.lookUps = lookUps
        self.limit = limit
    }

    /// The resolver of another configuration, which still knows what was looked up.
    func following(_ configuration: ProxyConfiguration) -> NameResolver {
        NameResolver(
            overrides: configuration.nameOverrides,
            lookUps: lookUps,
            limit: configuration.connectTimeout
        )
    }

    /// The addresses that overrides give an endpoint; `nil` where the system is asked.
    ///
    /// An override for the host goes before one for every host.
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

    /// The addresses of an endpoint in the system's order, an address without a look-up; fails with an `ExchangeFailure`.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint.
    ///   - client: the network of a client of another machine that asks for it; `nil` for a client of this machine.
    ///   - loop: the loop of the future.
    /// - Returns: the addresses, with the endpoint's port.
    func addresses(of endpoint: Endpoint, for client: [UInt8]? = nil, on loop: any EventLoop)
        -> EventLoopFuture<[SocketAddress]>
    {
        if let addresses = known(endpoint) { return loop.makeSucceededFuture(addresses) }
        return lookUps.addresses(of: endpoint.host, for: client, within: limit, on: loop).map { addresses in
            addresses.map { address in
                var address = address
                address.port = endpoint.port
                return address
            }
        }
    }

    /// Stops resolving, and fails the requests that wait.
    func stop() { lookUps.stop() }

    /// Asks the system for the addresses of a name; blocks.
    static func lookUp(_ name: String) throws -> [SocketAddress] {
        var hints = addrinfo()
        #if canImport(Darwin)
        hints.ai_socktype = SOCK_STREAM
        #else
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(name, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0 else {
            let isUnknown = status == EAI_NONAME
            throw ExchangeFailure(
                side: .upstream,
                phase: .dns,
                cause: isUnknown ? .unknownName : .dns,
                message: "The name \(name) could not be resolved: \(String(cString: gai_strerror(status))).",
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
