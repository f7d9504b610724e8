import Synchronization

/// Counts how often a rule matched, applied, was shadowed and failed; all loops share it, and reloads that leave the rule as it is.
package final class RuleCounter: Sendable {
    /// The counts of a rule.
    package struct Figures: Hashable, Sendable {
        /// How often its condition held and no rule above it answered.
        package var matches: Int64 = 0
        /// How often its chance was drawn.
        package var draws: Int64 = 0
        /// How often it applied.
        package var hits: Int64 = 0
        /// How often it would have answered where a rule above it did.
        package var shadowed: Int64 = 0
        /// How often it could not be done.
        package var faults: Int64 = 0
        /// When it last applied: microseconds since 1970.
        package var lastHit: Int64?

        package init() {}
    }

    /// When the rule was loaded: microseconds since 1970.
    package let since: Int64
    private let state = Mutex(Figures())

    package init(since: Int64) { self.since = since }

    package var figures: Figures { state.withLock { $0 } }

    /// Counts that the condition held, and says whether the rule applies now.
    ///
    /// - Returns: how often it has applied, this time included; `nil` where it does not apply.
    func draw(_ limits: RuleLimits, atMost limit: Int64?, now: Int64) -> Int64? {
        if let expires = limits.expires, now - since >= expires { return nil }
        return state.withLock { figures in
            figures.matches += 1
            let left = figures.matches - limits.skip
            guard left > 0, left % max(1, limits.every) == 0 else { return nil }
            guard figures.hits < min(limits.times ?? .max, limit ?? .max) else { return nil }
            figures.draws += 1
            guard limits.isDrawn(figures.draws) else { return nil }
            figures.hits += 1
            figures.lastHit = now
            return figures.hits
        }
    }

    /// Takes back that the rule applied.
    func takeBack() { state.withLock { $0.hits = max(0, $0.hits - 1) } }

    func countShadow() { state.withLock { $0.shadowed += 1 } }

    /// Takes back that a rule above it answered.
    func takeBackShadow() { state.withLock { $0.shadowed = max(0, $0.shadowed - 1) } }

    func countFault() { state.withLock { $0.faults += 1 } }
}
