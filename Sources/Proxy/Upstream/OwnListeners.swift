import NIOConcurrencyHelpers
import NIOCore

/// The ports that this process listens on, and whether an address reaches one of them: the proxy never connects to itself.
package final class OwnListeners: Sendable {
    private let ports = NIOLockedValueBox<Set<Int>>([])
    private let interfaces: Set<[UInt8]>
    private let interfacesNow: @Sendable () -> [OwnInterface]

    /// Makes an empty list that asks the system for this machine's interfaces.
    package convenience init() { self.init(OwnInterface.all) }

    /// Makes an empty list that takes this machine's interfaces from a function, now and whenever they are needed.
    init(_ interfacesNow: @escaping @Sendable () -> [OwnInterface]) {
        self.interfacesNow = interfacesNow
        interfaces = Set(interfacesNow().map(\.address))
    }

    /// Adds a port of ours.
    package func add(port: Int) { ports.withLockedValue { _ = $0.insert(port) } }

    /// Whether one of our listeners has this port, on whatever address.
    func contains(port: Int) -> Bool { ports.withLockedValue { $0.contains(port) } }

    /// Whether a connection to this resolved address would end at one of our ports.
    func contains(_ address: SocketAddress) -> Bool {
        guard let port = address.port, ports.withLockedValue({ $0.contains(port) }), let bytes = address.plainBytes
        else { return false }
        return Self.isLocal(bytes) || interfaces.contains(bytes)
    }

    /// The resolved addresses that lead neither to this machine, nor to what only its own link reaches, nor to its cloud's metadata.
    ///
    /// Asks for the interfaces again, since a machine moves between networks: once for all of the addresses.
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

    /// Whether one of these resolved addresses leads to one of those places.
    func isNear(_ addresses: [SocketAddress]) -> Bool { far(addresses).count < addresses.count }

    /// Whether one of these addresses may be on this machine: its own, or that of a container or a virtual machine behind a bridge.
    func isOnThisMachine(_ addresses: [SocketAddress]) -> Bool {
        guard !isNear(addresses) else { return true }
        let bridges = interfacesNow().filter(\.isBridge)
        return addresses.compactMap(\.plainBytes).contains { bytes in bridges.contains { $0.reaches(bytes) } }
    }

    /// Link-local addresses (RFC 3927 §2.1, RFC 4291 §2.5.6), and those at which a cloud gives the machine its metadata and keys.
    private static let ownServices = [
        // The metadata of most clouds is link-local.
        "169.254.0.0/16", "fe80::/10",
        // Alibaba's, Azure's and an older one of Oracle's.
        "100.100.100.200", "168.63.129.16", "192.0.0.192",
        // Amazon's, with its names and times; Google's, Oracle's, Scaleway's, Linode's and Alibaba's.
        "fd00:ec2::/32", "fd20:ce::254", "fd00:c1::a9fe:a9fe", "fd00:42::42", "fd00:a9fe:a9fe::1", "fd00:100::100:200",
    ].compactMap { ClientNetwork($0) }

    /// Whether it is a loopback or unspecified address, by which a connect reaches this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5).
    private static func isLocal(_ bytes: [UInt8]) -> Bool {
        if bytes.count == 4 { return bytes[0] == 127 || bytes[0] == 0 }
        return bytes.dropLast().allSatisfy { $0 == 0 } && (bytes.last ?? 0) <= 1
    }
}
