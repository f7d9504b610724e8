/// How often a rule applies of the times that its condition holds; all of them, unless said.
package struct RuleLimits: Hashable, Sendable {
    /// Applies at most so often.
    package var times: Int64?
    /// Times that are let pass first.
    package var skip: Int64 = 0
    /// Of those left every so-manieth: with 10 the tenth, the twentieth and so on.
    package var every: Int64 = 1
    /// Of those left so many of a million, by chance.
    package var chance: Int64 = 1_000_000
    /// What the chances are drawn from: the nth is the same in every run.
    package var seed: UInt64 = 0
    /// Microseconds after which the rule applies no more, counted from when it was loaded; `nil` for ever.
    package var expires: Int64?

    package init() {}

    /// The seed of a rule that names none.
    static func seed(of name: String) -> UInt64 {
        // FNV-1a: the same on every machine, as Swift's own hashes are not.
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// Whether the nth draw, from 1, comes out for the rule.
    func isDrawn(_ number: Int64) -> Bool {
        guard chance < 1_000_000 else { return true }
        var dice = RuleDice(seed: seed, after: UInt64(max(0, number - 1)))
        return dice.next() % 1_000_000 < UInt64(max(0, chance))
    }
}
