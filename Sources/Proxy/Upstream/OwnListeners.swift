import NIOConcurrencyHelpers
import NIOCore

/// The ports that this process listens on, and whether an address reaches one of them: the proxy never connects to itself.
package final class OwnListeners: Sendable {
    private let ports = NIOLockedValueBox<Set<Int>>([])
    private let interfaces: Set<[UInt8]>
    private let interfacesNow: @Sendable () -> [OwnInterface]

    /// Takes the addresses of this machine's interfaces as they are now.
    package convenience init() { self.init(OwnInterface.all) }

    /// The same with what tells the interfaces, whenever it is asked.
    init(_ interfacesNow: @escaping @Sendable () -> [OwnInterface]) {
        self.interfacesNow = interfacesNow
        interfaces = Set(interfacesNow().map(\.address))
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

    /// Those of some resolved addresses at which a connection would end neither at this machine nor at something that trusts it alone: what only its
    /// own link reaches, and what its cloud tells it of itself.
    ///
    /// The interfaces are looked at anew, since a machine moves between networks: once for all of the addresses.
    func far(_ addresses: [SocketAddress]) -> [SocketAddress] {
        let others = addresses.filter { address in
            guard let bytes = address.plainBytes, !Self.isLocal(bytes), !interfaces.contains(bytes) else {
                return false
            }
            return !Self.ownServices.contains { $0.contains(address) }
        }
        guard !others.isEmpty else { return [] }
        let now = Set(interfacesNow().map(\.address))
        return others.filter { $0.plainBytes.map(now.contains) == false }
    }

    /// Whether a connection to one of these resolved addresses would end there.
    func isNear(_ addresses: [SocketAddress]) -> Bool { far(addresses).count < addresses.count }

    /// Whether what is at one of these addresses may run on this machine: here, or in a container or a virtual machine, for which a bridge has an address
    /// of ours that others do not reach.
    func isOnThisMachine(_ addresses: [SocketAddress]) -> Bool {
        guard !isNear(addresses) else { return true }
        let bridges = interfacesNow().filter(\.isBridge)
        return addresses.compactMap(\.plainBytes).contains { bytes in bridges.contains { $0.reaches(bytes) } }
    }

    /// What only a machine's link reaches (RFC 3927 §2.1, RFC 4291 §2.5.6), and where its cloud tells it of itself, with the keys that it has there.
    private static let ownServices = [
        // Most clouds have theirs here.
        "169.254.0.0/16", "fe80::/10",
        // Alibaba's, Azure's and an older one of Oracle's.
        "100.100.100.200", "168.63.129.16", "192.0.0.192",
        // Amazon's, with its names and times; Google's, Oracle's, Scaleway's, Linode's and Alibaba's.
        "fd00:ec2::/32", "fd20:ce::254", "fd00:c1::a9fe:a9fe", "fd00:42::42", "fd00:a9fe:a9fe::1", "fd00:100::100:200",
    ].compactMap { ClientNetwork($0) }

    /// Loopback and unspecified addresses, which a connect takes as this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5).
    private static func isLocal(_ bytes: [UInt8]) -> Bool {
        if bytes.count == 4 { return bytes[0] == 127 || bytes[0] == 0 }
        return bytes.dropLast().allSatisfy { $0 == 0 } && (bytes.last ?? 0) <= 1
    }
}
