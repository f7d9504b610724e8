/// Limits on how often a rule applies where its condition holds; without limits it always applies.
package struct RuleLimits: Hashable, Sendable {
    /// The limit by which a rule applies no more, though it is on.
    package enum End: String, Sendable {
        /// Its time has passed.
        case expires
        /// It has applied as often as it may.
        case times
    }

    /// The rule applies at most so often.
    package var times: Int64?
    /// So many matches are skipped first.
    package var skip: Int64 = 0
    /// Of the remaining matches, only each nth counts: with 10 the tenth, the twentieth and so on.
    package var every: Int64 = 1
    /// Of the remaining matches, so many of a million apply, by chance.
    package var chance: Int64 = 1_000_000
    /// The seed that chances are drawn from; the nth draw is the same in every run.
    package var seed: UInt64 = 0
    /// Microseconds from its loading until the rule stops applying; `nil` for ever.
    package var expires: Int64?

    package init() {}

    /// The seed of a rule that names none.
    static func seed(of name: String) -> UInt64 {
        // FNV-1a: the same on every machine, as Swift's own hashes are not.
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// Whether the nth draw, from 1, makes the rule apply.
    func isDrawn(_ number: Int64) -> Bool {
        guard chance < 1_000_000 else { return true }
        var dice = RuleDice(seed: seed, after: UInt64(max(0, number - 1)))
        return dice.next() % 1_000_000 < UInt64(max(0, chance))
    }
}
