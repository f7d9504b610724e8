/// The findings of a check of one exchange: each rule's first findings, and a count of all.
struct CheckSample {
    /// The most findings of one rule that are kept.
    private let limit: Int
    private var kept: [CheckFinding] = []
    /// The count of each rule's findings, and the place of the last that is kept.
    private var byRule: [String: (count: Int, last: Int)] = [:]

    /// - Parameter limit: the most findings of one rule that are kept, at least one.
    init(limitOfRule limit: Int) { self.limit = limit }

    /// Counts a finding, and keeps it unless its rule has its most already.
    mutating func add(_ finding: CheckFinding) {
        let known = byRule[finding.rule] ?? (count: 0, last: 0)
        let isKept = known.count < limit
        if isKept { kept.append(finding) }
        byRule[finding.rule] = (count: known.count + 1, last: isKept ? kept.count - 1 : known.last)
    }

    /// The kept findings in their order; the last one of a rule stands for those that are not kept, and says how many they are.
    var findings: [CheckFinding] {
        var findings = kept
        for (count, last) in byRule.values { findings[last] = findings[last].standing(for: count - limit) }
        return findings
    }
}
