import NIOCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An address of this machine, and the network that it belongs to.
struct OwnInterface: Sendable {
    let address: [UInt8]
    /// The bits that all addresses of the network have in common; empty where there is no network.
    let mask: [UInt8]
    /// Whether the interface is a bridge, which joins this machine's containers and virtual machines.
    let isBridge: Bool

    init(address: [UInt8], mask: [UInt8] = [], isBridge: Bool = false) {
        self.address = address
        self.mask = mask
        self.isBridge = isBridge
    }

    /// The interfaces as they are now; the kernel answers from memory, so an event loop may ask.
    static func all() -> [OwnInterface] {
        ((try? System.enumerateDevices()) ?? []).compactMap { device in
            device.address?.plainBytes.map {
                OwnInterface(address: $0, mask: device.netmask?.plainBytes ?? [], isBridge: isBridge(device.name))
            }
        }
    }

    /// Whether an address belongs to the network.
    func reaches(_ bytes: [UInt8]) -> Bool {
        guard mask.count == bytes.count, address.count == bytes.count else { return false }
        return bytes.indices.allSatisfy { bytes[$0] & mask[$0] == address[$0] & mask[$0] }
    }

    private static func isBridge(_ name: String) -> Bool {
        #if canImport(Darwin)
        name.hasPrefix("bridge")
        #else
        access("/sys/class/net/\(name)/bridge", F_OK) == 0
        #endif
    }
}
