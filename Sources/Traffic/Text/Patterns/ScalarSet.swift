/// A set of Unicode scalars as ranges: the scalars that one place of a regular expression takes.
struct ScalarSet: Hashable, Sendable {
    /// Every scalar there is; surrogates are counted in, since no text has them.
    static let all = ScalarSet([0...0x10FFFF])

    /// Ascending, neither touching nor overlapping.
    private(set) var ranges: [ClosedRange<UInt32>]
    /// One bit for each ASCII scalar.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ ranges: [ClosedRange<UInt32>]) {
        var joined: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound &+ 1 {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        self.ranges = joined
        for range in joined where range.lowerBound < 128 {
            for scalar in range.lowerBound...min(range.upperBound, 127) {
                if scalar < 64 { low |= 1 << UInt64(scalar) } else { high |= 1 << UInt64(scalar - 64) }
            }
        }
    }

    /// Whether a scalar is in it.
    func contains(_ scalar: UInt32) -> Bool {
        if scalar < 64 { return low >> UInt64(scalar) & 1 == 1 }
        if scalar < 128 { return high >> UInt64(scalar - 64) & 1 == 1 }
        var (first, end) = (0, ranges.count)
        while first < end {
            let middle = (first + end) / 2
            if ranges[middle].upperBound < scalar { first = middle + 1 } else { end = middle }
        }
        return first < ranges.count && ranges[first].contains(scalar)
    }

    /// Every other scalar.
    var inverted: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= 0x10FFFF { gaps.append(next...0x10FFFF) }
        return ScalarSet(gaps)
    }

    /// The set together with the scalars that differ from its own only in case.
    ///
    /// Ranges of more than 2,000 scalars beyond ASCII are taken as they are: nobody means their case.
    var ignoringCase: ScalarSet {
        var more = ranges
        for range in ranges where range.count <= 2_000 || range.upperBound < 128 {
            for value in range {
                guard let scalar = Unicode.Scalar(value) else { continue }
                for text in [
                    scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping,
                    scalar.properties.titlecaseMapping,
                ] {
                    let scalars = text.unicodeScalars
                    if scalars.count == 1, let other = scalars.first?.value, other != value {
                        more.append(other...other)
                    }
                }
            }
        }
        return ScalarSet(more)
    }

    /// `\d`: the ASCII digits.
    static let digits = ScalarSet([0x30...0x39])
    /// `\w`: ASCII letters, digits and the underscore.
    static let words = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    /// What `.` leaves out (ECMA-262 §12.3).
    static let lineEnds = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
    /// `\s`: the blanks and line ends of Unicode, and the byte order mark (ECMA-262 §12.2, §12.3).
    static let blanks = ScalarSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
}
