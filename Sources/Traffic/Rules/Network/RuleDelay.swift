/// A wait of an exchange on its way: before its request goes on, or before its response does.
package struct RuleDelay: Hashable, Sendable {
    /// The longest: an hour, in microseconds.
    static let limit: Int64 = 3_600_000_000

    /// What waits.
    package var side: MessageSide
    /// The shortest and the longest wait, in microseconds.
    package var range: ClosedRange<Int64>

    package init(_ side: MessageSide, _ range: ClosedRange<Int64>) { (self.side, self.range) = (side, range) }

    /// The wait of one exchange, in microseconds; it follows from the seed and the count, so that a run repeats.
    ///
    /// - Parameters:
    ///   - seed: the rule's.
    ///   - count: how often the rule has applied, this time included.
    /// - Returns: a length within the range, each as likely.
    func microseconds(seed: UInt64, count: Int64) -> Int64 {
        let width = UInt64(range.upperBound - range.lowerBound) + 1
        // A number of its own for each side, and another than chances are drawn from.
        let salt: UInt64 = side == .request ? 0x6465_6C61_7951 : 0x6465_6C61_7952
        var dice = RuleDice(seed: seed ^ salt, after: UInt64(max(0, count - 1)))
        return range.lowerBound + Int64(dice.next() % width)
    }

    /// A length of time for a person: `300 ms`, `1.5 s`.
    static func text(_ microseconds: Int64) -> String {
        guard microseconds >= 1_000_000 else {
            let tenths = (microseconds + 50) / 100
            return "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + " ms"
        }
        let millis = (microseconds + 500) / 1_000
        var digits = String(millis % 1_000 + 1_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(millis / 1_000)" + (digits.isEmpty ? "" : ".\(digits)") + " s"
    }
}
