import CNIOLinux
import NIOCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An address and port of TCP, as the kernel's table of sockets writes them.
struct SocketEnd: Hashable, Sendable {
    /// The address, 4 or 16 bytes in network order; an IPv4-mapped IPv6 address is the IPv4 address (RFC 4291 §2.5.5.2).
    let bytes: [UInt8]
    let port: UInt16

    /// Reads a socket's address; `nil` where that is no address of IP.
    init?(_ address: SocketAddress) {
        let bytes: [UInt8]
        switch address {
        case .v4(let v4):
            var raw = v4.address.sin_addr
            bytes = withUnsafeBytes(of: &raw) { Array($0) }
        case .v6(let v6):
            var raw = v6.address.sin6_addr
            bytes = withUnsafeBytes(of: &raw) { Array($0) }
        case .unixDomainSocket: return nil
        }
        guard let port = address.port.flatMap(UInt16.init(exactly:)) else { return nil }
        let isMapped = bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10..<12] == [0xFF, 0xFF]
        self.bytes = isMapped ? Array(bytes[12...]) : bytes
        self.port = port
    }

    /// Whether only programs of this machine can have the address.
    var isLoopback: Bool { bytes.count == 4 ? bytes.first == 127 : bytes == Array(repeating: 0, count: 15) + [1] }

    /// The address and port as in `/proc/net/tcp`: words in the machine's byte order, in capital hexadecimal; `nil` for an IPv6 address.
    var short: String? { bytes.count == 4 ? "\(SocketEnd.words(bytes)):\(portText)" : nil }

    /// The address and port as in `/proc/net/tcp6`, where sockets of IPv6 have IPv4 addresses too.
    var long: String {
        let whole = bytes.count == 4 ? Array(repeating: 0, count: 10) + [0xFF, 0xFF] + bytes : bytes
        return "\(SocketEnd.words(whole)):\(portText)"
    }

    private var portText: String { SocketEnd.padded(String(port, radix: 16, uppercase: true), 4) }

    private static func words(_ bytes: [UInt8]) -> String {
        stride(from: 0, to: bytes.count, by: 4).map { start in
            let word = bytes[start..<min(start + 4, bytes.count)].withUnsafeBytes { raw in
                raw.count == 4 ? raw.loadUnaligned(as: UInt32.self) : 0
            }
            return padded(String(word, radix: 16, uppercase: true), 8)
        }.joined()
    }

    private static func padded(_ digits: String, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
