import Foundation
import NIOCore

/// The addresses under which other machines may reach this one.
enum OwnAddresses {
    /// Addresses of the interfaces, IPv4 first, without loopback, link-local ones and repetitions; empty where the system does not tell.
    static var all: [String] {
        let found = ((try? System.enumerateDevices()) ?? []).compactMap(\.address?.ipAddress)
        var seen: Set<String> = []
        let others = found.filter { !isNear($0) && seen.insert($0).inserted }
        return others.filter { !$0.contains(":") } + others.filter { $0.contains(":") }
    }

    /// Names under which this machine is reached in its own network, in lower case: its host name, that of multicast DNS, and `localhost`.
    static var names: Set<String> {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return ["localhost"] }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercased()
        let first = name.prefix { $0 != "." }
        return Set(["localhost", name, "\(first)", "\(first).local"]).filter { !$0.isEmpty && $0 != ".local" }
    }

    private static func isNear(_ address: String) -> Bool {
        ["127.", "169.254.", "fe80:"].contains { address.hasPrefix($0) } || address == "::1"
    }
}
