#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A port of this machine that is held and not listened on, so that who connects is refused for as long as this lives.
package final class RefusingPort: Sendable {
    package let port: Int
    private let descriptor: Int32

    /// Takes a port.
    ///
    /// - Parameters:
    ///   - port: which one; 0 lets the system pick.
    ///   - isIPv6: of `::1` in place of 127.0.0.1.
    ///   - isReused: of a listener that has just ended, whose connections may be open yet.
    /// - Throws: `Unavailable` when it is somebody else's.
    package init(_ port: Int = 0, isIPv6: Bool = false, isReused: Bool = false) throws {
        #if canImport(Darwin)
        let stream = SOCK_STREAM
        #else
        let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let taken = socket(isIPv6 ? AF_INET6 : AF_INET, stream, 0)
        var isReused: Int32 = isReused ? 1 : 0
        setsockopt(taken, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        let isBound: Bool
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            address.sin6_port = in_port_t(port).bigEndian
            var isOnly: Int32 = 1
            setsockopt(taken, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isOnly, socklen_t(MemoryLayout<Int32>.size))
            isBound = Self.call(&address) { bind(taken, $0, $1) == 0 }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            address.sin_port = in_port_t(port).bigEndian
            isBound = Self.call(&address) { bind(taken, $0, $1) == 0 }
        }
        // The port stands in the same place of both kinds of address.
        var bound = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isKnown = Self.call(&bound) { address, _ in getsockname(taken, address, &size) == 0 }
        self.port = Int(UInt16(bigEndian: bound.sin6_port))
        descriptor = taken
        if !isBound || !isKnown { throw Unavailable(port: port) }
    }

    deinit { close(descriptor) }

    /// The same port of 127.0.0.1 and of `::1`.
    package static func ofBoth() throws -> (RefusingPort, RefusingPort) {
        var tries = 0
        while true {
            let first = try RefusingPort()
            tries += 1
            do { return (first, try RefusingPort(first.port, isIPv6: true)) } catch {
                guard tries < 50 else { throw error }
            }
        }
    }

    private static func call<Address, Result>(
        _ address: inout Address,
        _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    /// The port is somebody else's.
    package struct Unavailable: Error { let port: Int }
}
