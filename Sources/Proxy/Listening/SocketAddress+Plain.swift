import CNIOLinux
import NIOCore
import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension SocketAddress {
    /// The address's bytes without its port: 4 of an IPv4 address, mapped into IPv6 or not, 16 of any other IPv6 address, `nil` of another family.
    var plainBytes: [UInt8]? {
        switch self {
        case .v4(let v4): return withUnsafeBytes(of: v4.address.sin_addr) { Array($0) }
        case .v6(let v6):
            let all = withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
            let isMapped = all[0..<10].allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
            return isMapped ? Array(all[12...]) : all
        default: return nil
        }
    }

    /// Whether only this machine reaches the address (127.0.0.0/8, ::1).
    var isLoopback: Bool {
        guard let bytes = plainBytes else { return false }
        return bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
}

extension Endpoint {
    /// The address and port of a socket, an IPv4-mapped IPv6 address as the IPv4 address; `nil` where the socket has none.
    init?(plain address: SocketAddress) {
        guard let host = address.ipAddress, let port = address.port, port > 0 else { return nil }
        let isMapped = host.hasPrefix("::ffff:") && host.contains(".")
        self.init(host: isMapped ? String(host.dropFirst("::ffff:".count)) : host, port: port)
    }
}
