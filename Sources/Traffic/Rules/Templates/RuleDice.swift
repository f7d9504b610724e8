/// Random numbers that are the same for a seed in every run (SplitMix64); the nth can be made without those before it.
package struct RuleDice: RandomNumberGenerator {
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var state: UInt64

    /// Makes the numbers of a seed, without the first `count`.
    package init(seed: UInt64, after count: UInt64 = 0) { state = seed &+ count &* RuleDice.step }

    package mutating func next() -> UInt64 {
        state &+= RuleDice.step
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
