import Traffic

/// The bounds of numbers in a store, which may come from anybody: a number beyond its bounds is read as the nearest within.
///
/// A thousand amounts add up to a number of 64 bits; whoever adds up more has to look for an overflow.
enum StoredNumber {
    /// Moments that a text can say.
    static let moments = Timestamp.range
    /// Counts of bytes, microseconds or messages; readers of JSON know no greater numbers exactly.
    static let amounts: ClosedRange<Int64> = 0...1 << 53 - 1
    /// Counts of exchanges in a gap, which are added up over all gaps.
    static let gaps: ClosedRange<Int64> = 0...1 << 31
    /// Ports of TCP.
    static let ports: ClosedRange<Int64> = 0...Int64(UInt16.max)

    /// The number within bounds that is nearest to a number.
    static func nearest(_ number: Int64, in bounds: ClosedRange<Int64>) -> Int64 {
        min(max(number, bounds.lowerBound), bounds.upperBound)
    }
}

extension RawStatement {
    /// The next column as an integer within bounds, `nil` for NULL; see `StoredNumber`.
    mutating func integer(_ bounds: ClosedRange<Int64>) -> Int64? {
        integer().map { StoredNumber.nearest($0, in: bounds) }
    }
}
