/// How many bytes pass in a second.
package struct ByteRate: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// At least 1.
    package let bytesPerSecond: Int64

    /// The greatest: 100 Gbit/s.
    package static let limit: Int64 = 12_500_000_000

    /// - Parameter bytesPerSecond: from 1 to `limit`; what lies outside is brought to the nearer end.
    package init(bytesPerSecond: Int64) { self.bytesPerSecond = min(max(1, bytesPerSecond), ByteRate.limit) }

    /// A rate in thousands of bits.
    package init(kilobits: Int64) { self.init(bytesPerSecond: kilobits * 125) }

    private static let units: [(suffix: String, bytes: Double)] = [
        ("kbit/s", 125), ("mbit/s", 125_000), ("gbit/s", 125_000_000), ("kbit", 125), ("mbit", 125_000),
        ("gbit", 125_000_000), ("kb/s", 1_000), ("mb/s", 1_000_000), ("b/s", 1),
    ]

    /// Reads a rate as rules write it: `800kbit`, `1.5mbit`, `100kB/s`; `nil` where the text is none.
    package init?(_ text: String) {
        let lower = text.lowercased()
        guard let (suffix, bytes) = ByteRate.units.first(where: { lower.hasSuffix($0.suffix) }) else { return nil }
        let digits = lower.dropLast(suffix.count)
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), digits.utf8.count <= 15,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let number = Double(digits), number * bytes >= 1, number * bytes <= Double(ByteRate.limit)
        else { return nil }
        self.init(bytesPerSecond: Int64((number * bytes).rounded()))
    }

    /// Nanoseconds that so many bytes take.
    func nanoseconds(_ count: Int) -> Int64 {
        Int64((Double(count) * 1e9 / Double(bytesPerSecond)).rounded())
    }

    package static func < (left: ByteRate, right: ByteRate) -> Bool { left.bytesPerSecond < right.bytesPerSecond }

    /// `800 kbit/s`, `1440 kbit/s`, `1.5 Mbit/s`, `100 B/s`.
    package var description: String {
        guard bytesPerSecond >= 125 else { return "\(bytesPerSecond) B/s" }
        let isLarge = bytesPerSecond >= 125_000 && bytesPerSecond % 12_500 == 0
        let tenths = (bytesPerSecond * 80 + (isLarge ? 500_000 : 500)) / (isLarge ? 1_000_000 : 1_000)
        let fraction = tenths % 10 == 0 ? "" : ".\(tenths % 10)"
        return "\(tenths / 10)\(fraction) \(isLarge ? "Mbit/s" : "kbit/s")"
    }
}
