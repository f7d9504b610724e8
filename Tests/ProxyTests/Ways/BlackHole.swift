import Support

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A port of `::1` that takes no connection and refuses none: its queue is full, so further attempts go unanswered.
final class BlackHole: Sendable {
    private let sockets: [Int32]

    /// Takes the port; the queue is filled by connections of its own.
    init(port: Int) throws {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = in_port_t(port).bigEndian
        address.sin6_addr = in6addr_loopback
        func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        #if canImport(Darwin)
        let stream = SOCK_STREAM
        #else
        let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let listener = socket(AF_INET6, stream, 0)
        var isOnly: Int32 = 1
        setsockopt(listener, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isOnly, socklen_t(MemoryLayout<Int32>.size))
        guard call({ bind(listener, $0, $1) }) == 0, listen(listener, 0) == 0 else {
            close(listener)
            throw Unavailable(port: port)
        }
        var sockets = [listener]
        for _ in 0..<4 {
            let filler = socket(AF_INET6, stream, 0)
            _ = fcntl(filler, F_SETFL, O_NONBLOCK)
            _ = call { connect(filler, $0, $1) }
            sockets.append(filler)
        }
        self.sockets = sockets
    }

    deinit { for socket in sockets { close(socket) } }

    /// The port is somebody else's.
    struct Unavailable: Error { let port: Int }
}
