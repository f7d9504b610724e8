/// A generator that gives the same numbers for the same seed on every machine (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// So many bytes, each from these pieces or by chance: what a parser meets that is nearly right.
    package mutating func bytes(of pieces: [String], atMost count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, Int.random(in: 0..<12, using: &self) > 0 {
            if Int.random(in: 0..<4, using: &self) == 0 {
                bytes.append(UInt8.random(in: 0...255, using: &self))
            } else {
                bytes += (pieces.randomElement(using: &self) ?? "").utf8
            }
        }
        return bytes
    }
}
