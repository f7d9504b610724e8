/// A generator that gives the same numbers for the same seed on every machine (SplitMix64).
struct BenchmarkGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A whole number from 0 up to `bound`, which must be above 0.
    mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(bound)) }

    /// One of a list that has some.
    mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

    /// So many hexadecimal digits.
    mutating func hex(_ count: Int) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(count)
        while digits.count < count {
            var bits = next()
            for _ in 0..<min(16, count - digits.count) {
                digits.append(BenchmarkGenerator.digits[Int(bits & 15)])
                bits >>= 4
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
