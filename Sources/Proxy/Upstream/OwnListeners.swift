import NIOConcurrencyHelpers
import NIOCore

/// The ports that this process listens on, and whether an address reaches one of them: the proxy never connects to itself.
package final class OwnListeners: Sendable {
    private let ports = NIOLockedValueBox<Set<Int>>([])
    private let interfaces: Set<[UInt8]>

    /// Takes the addresses of this machine's interfaces as they are now.
    package init() {
        var found: Set<[UInt8]> = []
        for device in (try? System.enumerateDevices()) ?? [] {
            if let address = device.address, let bytes = OwnListeners.bytes(address) { found.insert(bytes) }
        }
        interfaces = found
    }

    /// Adds a port of ours.
    package func add(port: Int) { ports.withLockedValue { _ = $0.insert(port) } }

    /// Whether this is the port of one of them, on whatever address.
    func contains(port: Int) -> Bool { ports.withLockedValue { $0.contains(port) } }

    /// Whether a connection to this resolved address would end at one of our ports.
    func contains(_ address: SocketAddress) -> Bool {
        guard let port = address.port, ports.withLockedValue({ $0.contains(port) }), let bytes = Self.bytes(address)
        else { return false }
        return Self.isLocal(bytes) || interfaces.contains(bytes)
    }

    /// Loopback and unspecified addresses, which a connect takes as this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5).
    private static func isLocal(_ bytes: [UInt8]) -> Bool {
        if bytes.count == 4 { return bytes[0] == 127 || bytes[0] == 0 }
        return bytes.dropLast().allSatisfy { $0 == 0 } && (bytes.last ?? 0) <= 1
    }

    /// The address's bytes: 4, or 16 for an IPv6 address that does not map or embed an IPv4 one.
    private static func bytes(_ address: SocketAddress) -> [UInt8]? {
        switch address {
        case .v4(let v4): return withUnsafeBytes(of: v4.address.sin_addr) { Array($0) }
        case .v6(let v6):
            let all = withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
            let isMapped = all[0..<10].allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
            return isMapped ? Array(all[12...]) : all
        default: return nil
        }
    }
}
