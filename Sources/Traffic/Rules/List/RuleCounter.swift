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
    /// The counts of the rule's fault, which has limits of its own.
    private let faulted = Mutex(Figures())
    /// The lines of the rule's throttle.
    let lines = RateLines()

    package init(since: Int64) { self.since = since }

    package var figures: Figures { state.withLock { $0 } }

    /// Counts that the condition held, and says whether the rule applies now.
    ///
    /// - Returns: how often it has applied, this time included; `nil` where it does not apply.
    func draw(_ limits: RuleLimits, atMost limit: Int64?, now: Int64) -> Int64? {
        if let expires = limits.expires, now - since >= expires { return nil }
        return state.withLock { $0.draw(limits, atMost: limit, now: now) }
    }

    /// Counts that the rule's fault could happen, and says whether it does.
    func drawFault(_ limits: RuleLimits) -> Bool {
        faulted.withLock { $0.draw(limits, atMost: nil, now: 0) != nil }
    }

    /// Takes back that the rule applied.
    func takeBack() { state.withLock { $0.hits = max(0, $0.hits - 1) } }

    func countShadow() { state.withLock { $0.shadowed += 1 } }

    func countFault() { state.withLock { $0.faults += 1 } }
}

extension RuleCounter.Figures {
    /// Counts that the condition held, and how often it has applied, this time included; `nil` where it does not apply.
    fileprivate mutating func draw(_ limits: RuleLimits, atMost limit: Int64?, now: Int64) -> Int64? {
        matches += 1
        let left = matches - limits.skip
        guard left > 0, left % max(1, limits.every) == 0 else { return nil }
        guard hits < min(limits.times ?? .max, limit ?? .max) else { return nil }
        draws += 1
        guard limits.isDrawn(draws) else { return nil }
        hits += 1
        lastHit = now
        return hits
    }
}
