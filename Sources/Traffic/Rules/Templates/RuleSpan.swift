/// Reads lengths of time as rules write them: `300ms`, `45s`, `10m`, `2h`, `7d`.
enum RuleSpan {
    private static let units: [(suffix: String, microseconds: Int64)] = [
        ("ms", 1_000), ("s", 1_000_000), ("m", 60_000_000), ("h", 3_600_000_000), ("d", 86_400_000_000),
    ]

    /// Microseconds; `nil` when the text is no length of time, or longer than 3,650 days.
    static func microseconds(_ text: some StringProtocol) -> Int64? {
        for (suffix, unit) in units where text.hasSuffix(suffix) {
            let digits = text.dropLast(suffix.count)
            guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let count = Int64(digits), count <= 3_650 * 86_400_000_000 / unit
            else { return nil }
            return count * unit
        }
        return nil
    }
}
