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
            if let bytes = device.address?.plainBytes { found.insert(bytes) }
        }
        interfaces = found
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

    /// Loopback and unspecified addresses, which a connect takes as this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5).
    private static func isLocal(_ bytes: [UInt8]) -> Bool {
        if bytes.count == 4 { return bytes[0] == 127 || bytes[0] == 0 }
        return bytes.dropLast().allSatisfy { $0 == 0 } && (bytes.last ?? 0) <= 1
    }
}
