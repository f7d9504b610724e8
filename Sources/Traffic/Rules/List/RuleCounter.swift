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
        /// How often it would have acted on a request that another rule answered.
        package var shadowed: Int64 = 0
        /// How often it could not be done.
        package var faults: Int64 = 0
        /// How often it could not be judged, so that it did nothing.
        package var unknowns: Int64 = 0
        /// When it last applied: microseconds since 1970.
        package var lastHit: Int64?

        package init() {}

        /// How often it was skipped: it could not be judged, or not be done.
        package var skips: Int64 { faults + unknowns }
    }

    /// What the counts cannot say of times when the rule applied and that was taken back.
    private struct State {
        var figures = Figures()
        /// The numbers of such times, which are given again: a sequence of answers has no gap, and gives none twice.
        var returned: [Int64] = []
        /// The last times that the rule applied, oldest first: the number and the moment.
        var last: [(number: Int64, at: Int64)] = []
    }

    /// Hits that are remembered, so that a hit which is taken back is not the last one any more.
    private static let lastLimit = 8

    /// When the rule was loaded: microseconds since 1970.
    package let since: Int64
    private let state = Mutex(State())
    /// The counts of the rule's fault, which has limits of its own.
    private let faulted = Mutex(Figures())
    /// The lines of the rule's throttle.
    let lines = RateLines()

    package init(since: Int64) { self.since = since }

    package var figures: Figures { state.withLock { $0.figures } }

    /// Counts that the condition held, and says whether the rule applies now.
    ///
    /// - Returns: the number of this time, from 1: how often the rule has applied, this time included; `nil` where it does not apply.
    func draw(_ limits: RuleLimits, atMost limit: Int64?, now: Int64) -> Int64? {
        if let expires = limits.expires, now - since >= expires { return nil }
        return state.withLock { state in
            guard let hits = state.figures.draw(limits, atMost: limit, now: now) else { return nil }
            let first = state.returned.indices.min { state.returned[$0] < state.returned[$1] }
            let number = first.map { state.returned.remove(at: $0) } ?? hits
            if state.last.count == RuleCounter.lastLimit { state.last.removeFirst() }
            state.last.append((number, now))
            return number
        }
    }

    /// Counts that the rule's fault could happen, and says whether it does.
    func drawFault(_ limits: RuleLimits) -> Bool {
        faulted.withLock { $0.draw(limits, atMost: nil, now: 0) != nil }
    }

    /// Takes back that the rule's fault was to happen: it did not.
    func takeBackFault() { faulted.withLock { $0.hits = max(0, $0.hits - 1) } }

    /// Takes back that the rule applied, the time of a number.
    func takeBack(_ number: Int64) {
        state.withLock { state in
            guard state.figures.hits > 0, !state.returned.contains(number) else { return }
            state.figures.hits -= 1
            state.returned.append(number)
            state.last.removeAll { $0.number == number }
            if state.figures.hits == 0 || !state.last.isEmpty { state.figures.lastHit = state.last.last?.at }
        }
    }

    /// Counts that a rule which answers stands in its way.
    func countShadow() { state.withLock { $0.figures.shadowed += 1 } }

    /// Takes back that a rule which answers stands in its way.
    func takeBackShadow() { state.withLock { $0.figures.shadowed = max(0, $0.figures.shadowed - 1) } }

    func countFault() { state.withLock { $0.figures.faults += 1 } }

    /// Takes back that it could not be done.
    func takeBackFailure() { state.withLock { $0.figures.faults = max(0, $0.figures.faults - 1) } }

    /// Counts that it could not be judged.
    func countUnknown() { state.withLock { $0.figures.unknowns += 1 } }

    /// Takes back that it could not be judged.
    func takeBackUnknown() { state.withLock { $0.figures.unknowns = max(0, $0.figures.unknowns - 1) } }
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
