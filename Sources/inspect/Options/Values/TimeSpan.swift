import ArgumentParser
import NIOCore

/// A length of time as people write it: `500ms`, `10s`, `2m`, `1h`.
struct TimeSpan: CustomStringConvertible, Equatable, Sendable {
    let amount: TimeAmount

    init(_ amount: TimeAmount) { self.amount = amount }

    /// Reads a time from 1 ms to 1,000 h.
    ///
    /// - Throws: `ValidationError` saying what was expected.
    init(option: String) throws {
        let digits = option.prefix { $0.isASCII && $0.isNumber }
        let units: [String: Int64] = ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000]
        guard let unit = units[option.dropFirst(digits.count).lowercased()], digits.utf8.count <= 10,
            let count = Int64(digits), case let milliseconds = count * unit, (1...3_600_000_000).contains(milliseconds)
        else { throw ValidationError("expected a time such as 500ms, 10s, 2m or 1h") }
        amount = .milliseconds(milliseconds)
    }

    /// The time in the largest unit that leaves a whole number.
    var description: String {
        let milliseconds = amount.nanoseconds / 1_000_000
        for (size, unit) in [(Int64(3_600_000), "h"), (60_000, "m"), (1_000, "s")] where milliseconds % size == 0 {
            return "\(milliseconds / size)\(unit)"
        }
        return "\(milliseconds)ms"
    }
}
