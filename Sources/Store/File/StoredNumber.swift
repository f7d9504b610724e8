/// The bounds of numbers in a store, which may come from anybody: a number beyond them is read as the nearest within, so that sums of numbers fit
/// into 64 bits.
enum StoredNumber {
    /// Moments: microseconds since 1970, in the years 1 to 9999, since a text of RFC 3339 has four digits for a year.
    static let moments: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999
    /// Counts of bytes, microseconds or messages; readers of JSON know no greater numbers exactly.
    static let amounts: ClosedRange<Int64> = 0...1 << 53 - 1
    /// Ports of TCP.
    static let ports: ClosedRange<Int64> = 0...Int64(UInt16.max)
}

extension RawStatement {
    /// The next column as an integer within bounds, `nil` for NULL; see `StoredNumber`.
    mutating func integer(_ bounds: ClosedRange<Int64>) -> Int64? {
        integer().map { min(max($0, bounds.lowerBound), bounds.upperBound) }
    }
}
