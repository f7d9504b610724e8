/// Sizes and times in the units that people read.
enum Measure {
    /// `512 B`, `1.5 kB`, `20 MB`: thousands, as transfer sizes are counted.
    static func bytes(_ count: Int64) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var value = Double(count)
        var unit = 0
        let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        while value >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return "\(tenths(value)) \(units[unit])"
    }

    /// `12 µs`, `1.2 ms`, `3.4 s`, `2 min 5 s`.
    static func duration(_ microseconds: Int64) -> String {
        switch microseconds {
        case ..<1000: return "\(microseconds) µs"
        case ..<999_500: return "\(tenths(Double(microseconds) / 1000)) ms"
        case ..<59_500_000: return "\(tenths(Double(microseconds) / 1_000_000)) s"
        default:
            let seconds = Int64((Double(microseconds) / 1_000_000).rounded())
            return "\(seconds / 60) min \(seconds % 60) s"
        }
    }

    /// A number with one decimal below ten, none above.
    private static func tenths(_ value: Double) -> String {
        guard value < 9.95 else { return String(Int(value.rounded())) }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}
