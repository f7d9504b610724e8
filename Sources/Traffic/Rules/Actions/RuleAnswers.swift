/// Answers that a rule gives one after another.
package struct RuleAnswers: Hashable, Sendable {
    /// The answers, at least one; only the last may be given for ever.
    package let steps: [RuleAnswer]

    /// Answers in their order.
    init(_ steps: [RuleAnswer]) { self.steps = steps }

    /// How often an answer is given in all; `nil` for ever.
    var limit: Int64? {
        var total: Int64 = 0
        for step in steps {
            guard let times = step.times else { return nil }
            total += times
        }
        return total
    }

    /// The answer at a count from 1; `nil` once all are given.
    package func step(_ count: Int64) -> RuleAnswer? {
        var left = count
        for step in steps {
            guard let times = step.times, left > times else { return step }
            left -= times
        }
        return nil
    }
}
