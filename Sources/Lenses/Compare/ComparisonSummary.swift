package import Traffic

/// The counts that sum up a run of comparisons.
package struct ComparisonSummary: Sendable {
    /// Comparisons by verdict.
    package private(set) var counts: [Comparison.Verdict: Int] = [:]
    /// Differences that were passed over as noise, by what they are in: `header:date`.
    package private(set) var ignored: [String: Int] = [:]
    /// Requests that went without a credential, by the credential.
    package private(set) var heldBack: [String: Int] = [:]
    /// Comparisons that learnt a piece of noise, by the noise.
    package private(set) var learnt: [String: Int] = [:]
    /// Exchanges that were not compared, by the reason.
    package private(set) var leftOut: [String: Int] = [:]

    package init() {}

    /// The number of comparisons.
    package var total: Int { counts.values.reduce(0, +) }
    /// Whether every comparison found the two sides the same.
    package var isEqual: Bool { counts.keys.allSatisfy { $0 == .same } }

    /// Counts a comparison.
    package mutating func add(_ comparison: Comparison) {
        counts[comparison.verdict, default: 0] += 1
        ignored.merge(comparison.difference?.ignored ?? [:], uniquingKeysWith: +)
        for what in comparison.heldBack { heldBack[what, default: 0] += 1 }
        for what in comparison.learnt { learnt[what, default: 0] += 1 }
    }

    /// Counts an exchange that was not compared.
    package mutating func leaveOut(for reason: String) { leftOut[reason, default: 0] += 1 }

    /// Writes the counts as members of an object that is open.
    package func write(to json: inout JSONWriter) {
        json.boolean("equal", isEqual)
        for verdict in Comparison.Verdict.allCases { json.integer(verdict.rawValue, counts[verdict] ?? 0) }
        json.counts("leftOut", leftOut)
        json.counts("heldBack", heldBack)
        json.counts("learnt", learnt)
        json.counts("ignored", ignored)
    }
}
