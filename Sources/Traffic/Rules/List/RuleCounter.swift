import Synchronization

/// How often a rule has held, applied, been shadowed and failed; shared by all loops, and by reloads that leave the rule as it is.
package final class RuleCounter: Sendable {
    /// What was counted.
    package struct Figures: Hashable, Sendable {
        /// Times that its condition held and nothing above it answered.
        package var matches: Int64 = 0
        /// Times that its chance was drawn.
        package var draws: Int64 = 0
        /// Times that it applied.
        package var hits: Int64 = 0
        /// Times that it would have answered, and a rule above it did.
        package var shadowed: Int64 = 0
        /// Times that it could not be done on an exchange.
        package var faults: Int64 = 0
        /// When it last applied: microseconds since 1970.
        package var lastHit: Int64?
    }

    /// When the rule was loaded: microseconds since 1970.
    package let since: Int64
    private let state = Mutex(Figures())

    package init(since: Int64) { self.since = since }

    package var figures: Figures { state.withLock { $0 } }

    /// Counts that the condition held, and says whether the rule applies now.
    ///
    /// - Returns: how often it has applied then, this time included; `nil` when it does not apply.
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

    func countShadow() { state.withLock { $0.shadowed += 1 } }

    func countFault() { state.withLock { $0.faults += 1 } }
}
