import NIOCore

/// A network whose clients may come in: an address and how many of its bits count (CIDR, RFC 4632 §3.1).
package struct ClientNetwork: Hashable, Sendable, CustomStringConvertible {
    private let bytes: [UInt8]
    private let bitCount: Int
    /// The text as it was written.
    package let description: String

    /// Reads `192.168.1.0/24`, `fd00::/8`, or an address alone, which stands for itself; `nil` where the text is neither.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first, let address = try? SocketAddress(ipAddress: String(host), port: 0),
            let bytes = address.plainBytes
        else { return nil }
        var bitCount = bytes.count * 8
        if parts.count > 1 {
            guard !parts[1].isEmpty, parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let count = Int(parts[1]), count <= bitCount
            else { return nil }
            bitCount = count
        }
        self.bytes = bytes
        self.bitCount = bitCount
        description = String(text)
    }

    /// Whether it holds every address of its family.
    package var isEveryone: Bool { bitCount == 0 }

    /// Whether the network holds an address; an IPv4-mapped IPv6 address counts as the IPv4 address.
    func contains(_ address: SocketAddress) -> Bool {
        guard let other = address.plainBytes, other.count == bytes.count else { return false }
        var left = bitCount
        for (own, its) in zip(bytes, other) where left > 0 {
            let mask = left >= 8 ? UInt8.max : ~(UInt8.max >> UInt8(left))
            if own & mask != its & mask { return false }
            left -= 8
        }
        return true
    }
}
