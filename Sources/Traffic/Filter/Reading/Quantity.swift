/// Reads and writes the numbers of a query: counts, sizes and times, alone, bounded (`>10k`) or as a range (`10..20`).
enum Quantity {
    /// What a number counts.
    enum Unit: Sendable {
        /// Nothing in particular; no suffix.
        case plain
        /// Bytes; `k`, `M`, `G` are thousands, `KiB`, `MiB`, `GiB` powers of 1,024.
        case bytes
        /// Microseconds; the text always names a unit.
        case time
    }

    /// Reads a value as the range of numbers that it means, both ends included.
    static func range(_ text: String, _ unit: Unit) throws(ValueProblem) -> ClosedRange<Int64> {
        let signs: [(String, (Int64) -> ClosedRange<Int64>?)] = [
            (">=", { $0...Int64.max }), ("<=", { 0...$0 }),
            (">", { $0 < Int64.max ? $0 + 1...Int64.max : nil }), ("<", { $0 > 0 ? 0...$0 - 1 : nil }),
        ]
        for (sign, range) in signs where text.hasPrefix(sign) {
            guard let range = range(try number(String(text.dropFirst(sign.count)), unit)) else {
                throw ValueProblem("nothing can be \(text)")
            }
            return range
        }
        if let dots = text.firstRange(of: "..") {
            let low = try number(String(text[..<dots.lowerBound]), unit)
            let high = try number(String(text[dots.upperBound...]), unit)
            guard low <= high else { throw ValueProblem("the range begins above its end; expected \(example(unit))") }
            return low...high
        }
        let value = try number(text, unit)
        return value...value
    }

    /// Writes a range as `range` reads it.
    static func text(_ range: ClosedRange<Int64>, _ unit: Unit) -> String {
        let suffix = unit == .time ? "us" : ""
        if range.lowerBound == range.upperBound { return "\(range.lowerBound)\(suffix)" }
        if range.upperBound == .max { return ">=\(range.lowerBound)\(suffix)" }
        if range.lowerBound == 0 { return "<=\(range.upperBound)\(suffix)" }
        return "\(range.lowerBound)\(suffix)..\(range.upperBound)\(suffix)"
    }

    /// Values to show in a message.
    static func example(_ unit: Unit) -> String {
        switch unit {
        case .plain: "a number such as 443, a bound such as >=1024 or a range such as 10..20"
        case .bytes: "a size such as 512, 10k or 1.5MiB, a bound such as >10k or a range such as 1k..2M"
        case .time: "a time with its unit such as 500ms, 2s or 1m, a bound such as >500ms or a range such as 1s..2s"
        }
    }

    private static let factors: [(suffix: String, factor: Double, unit: Unit)] = [
        ("kib", 1024, .bytes), ("mib", 1_048_576, .bytes), ("gib", 1_073_741_824, .bytes),
        ("kb", 1e3, .bytes), ("mb", 1e6, .bytes), ("gb", 1e9, .bytes),
        ("k", 1e3, .bytes), ("m", 1e6, .bytes), ("g", 1e9, .bytes), ("b", 1, .bytes),
        ("us", 1, .time), ("µs", 1, .time), ("ms", 1e3, .time), ("min", 6e7, .time), ("s", 1e6, .time),
        ("m", 6e7, .time), ("h", 3.6e9, .time),
    ]

    private static func number(_ text: String, _ unit: Unit) throws(ValueProblem) -> Int64 {
        var digits = text.lowercased()
        var factor: Double?
        for known in factors where known.unit == unit && digits.hasSuffix(known.suffix) {
            digits.removeLast(known.suffix.count)
            factor = known.factor
            break
        }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        let isDecimal = (1...2).contains(parts.count) && parts.allSatisfy(isDigits)
        guard isDecimal, unit != .time || factor != nil, parts.count == 1 || factor != nil else {
            throw ValueProblem("expected \(example(unit))")
        }
        if parts.count == 1, let whole = Int64(digits) {
            let (value, isTooGreat) = whole.multipliedReportingOverflow(by: Int64(factor ?? 1))
            if !isTooGreat { return value }
        } else if let value = Double(digits), value * (factor ?? 1) < 9e18 {
            return Int64((value * (factor ?? 1)).rounded())
        }
        throw ValueProblem("the number is too great")
    }

    private static func isDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
