import NIOConcurrencyHelpers
import NIOCore

/// The ports that this process listens on, and whether an address reaches one of them: the proxy never connects to itself.
package final class OwnListeners: Sendable {
    private let ports = NIOLockedValueBox<Set<Int>>([])
    private let interfaces: Set<[UInt8]>

    /// Takes the addresses of this machine's interfaces as they are now.
    package init() { interfaces = Self.interfacesNow() }

    private static func interfacesNow() -> Set<[UInt8]> {
        Set(((try? System.enumerateDevices()) ?? []).compactMap(\.address?.plainBytes))
    }

    /// Adds a port of ours.
    package func add(port: Int) { ports.withLockedValue { _ = $0.insert(port) } }

    /// Whether this is the port of one of them, on whatever address.
    func contains(port: Int) -> Bool { ports.withLockedValue { $0.contains(port) } }

    /// Whether a connection to this resolved address would end at one of our ports.
    func contains(_ address: SocketAddress) -> Bool {
        guard let port = address.port, ports.withLockedValue({ $0.contains(port) }), let bytes = address.plainBytes
        else { return false }
        return Self.isLocal(bytes) || interfaces.contains(bytes)
    }

    /// Whether a connection to this resolved address would end at this machine, or at something that trusts it alone: what only its own link reaches,
    /// and what its cloud tells it of itself.
    ///
    /// The interfaces are looked at anew: a machine moves between networks.
    func isNear(_ address: SocketAddress) -> Bool {
        guard let bytes = address.plainBytes else { return true }
        return Self.isLocal(bytes) || Self.isLinkLocal(bytes) || Self.cloudServices.contains(bytes)
            || interfaces.contains(bytes)
            || Self.interfacesNow().contains(bytes)
    }

    /// Where clouds keep the keys of their machines beside 169.254.169.254: Amazon's fd00:ec2::254, Google's fd20:ce::254, Alibaba's
    /// 100.100.100.200, Azure's 168.63.129.16.
    private static let cloudServices: Set<[UInt8]> = [
        [0xFD, 0, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0x54],
        [0xFD, 0x20, 0, 0xCE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0x54],
        [100, 100, 100, 200], [168, 63, 129, 16],
    ]

    /// 169.254.0.0/16 (RFC 3927 §2.1), where clouds keep the keys of their machines, and fe80::/10 (RFC 4291 §2.5.6).
    private static func isLinkLocal(_ bytes: [UInt8]) -> Bool {
        bytes.count == 4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// Loopback and unspecified addresses, which a connect takes as this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5).
    private static func isLocal(_ bytes: [UInt8]) -> Bool {
        if bytes.count == 4 { return bytes[0] == 127 || bytes[0] == 0 }
        return bytes.dropLast().allSatisfy { $0 == 0 } && (bytes.last ?? 0) <= 1
    }
}
