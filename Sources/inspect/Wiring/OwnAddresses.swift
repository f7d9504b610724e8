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

    private static func isNear(_ address: String) -> Bool {
        ["127.", "169.254.", "fe80:"].contains { address.hasPrefix($0) } || address == "::1"
    }
}
