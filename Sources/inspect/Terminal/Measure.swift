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

    /// As `duration`, in at most six cells below a hundred days: `12 µs`, `3.4 s`, `2m05s`, `3h07m`, `4d12h`.
    static func briefDuration(_ microseconds: Int64) -> String {
        guard microseconds >= 59_500_000 else { return duration(microseconds) }
        let seconds = Int64((Double(microseconds) / 1_000_000).rounded())
        let minutes = seconds / 60
        let hours = minutes / 60
        return switch minutes {
        case ..<60: "\(minutes)m\(twoDigits(seconds % 60))s"
        case ..<1440: "\(hours)h\(twoDigits(minutes % 60))m"
        default: "\(hours / 24)d\(twoDigits(hours % 24))h"
        }
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// A number with one decimal below ten, none above.
    private static func tenths(_ value: Double) -> String {
        guard value < 9.95 else { return String(Int(value.rounded())) }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}
