import Foundation
package import Traffic

/// A check of exchanges, one at a time, against the rules of their lenses and a document; it keeps its findings by rule.
package struct CheckRun {
    /// A rule with its findings.
    package struct Outcome {
        package let rule: CheckRule
        package var count = 0
        package var exchangeCount = 0
        /// The first findings, with their exchanges.
        package var shown: [(row: ExchangeSummary, finding: CheckFinding)] = []
        /// The exchange of the last finding.
        var last: ExchangeID?

        /// Findings that are neither shown nor counted by one that is.
        package var untold: Int { count - shown.reduce(0) { $0 + 1 + $1.finding.more } }
    }

    /// A change between two captures of an endpoint.
    package struct Change {
        package let before: ExchangeID
        package let after: ExchangeSummary
        package let sentences: [String]
    }

    /// A part of an exchange, or of the run, that was not checked.
    package struct Unchecked {
        package let id: ExchangeID
        package let sentence: String
        package var more = 0
    }

    /// The most changes, and the most unchecked parts, that are told; the rest is counted.
    private static let toldLimit = 100

    private let selects: @Sendable (String) -> Bool
    private let document: OpenAPICheck?
    private let shownLimit: Int
    private let lenses: LensSet
    private var history = EndpointHistory()
    private var byRule: [String: Outcome] = [:]

    /// Exchanges that were added, those that a rule applied to, and those with a finding.
    package private(set) var count = 0
    package private(set) var checkedCount = 0
    package private(set) var foundCount = 0
    /// Exchanges that the document does not describe.
    package private(set) var undescribedCount = 0
    /// Exchanges that were not added and were searched in part only (`Listing.searchedInPart`).
    package var searchedInPart = 0
    package private(set) var changes: [Change] = []
    package private(set) var changeCount = 0
    /// What was not checked, each with its first exchange (0 where it concerns the whole run) and how many more there are.
    package private(set) var unchecked: [Unchecked] = []
    /// How many of those are left out, since there are too many.
    package private(set) var untoldCount = 0

    /// - Parameters:
    ///   - selects: whether a rule is asked for, by its name.
    ///   - document: the check against a document; `nil` for none.
    ///   - shownLimit: the most findings that are kept of each rule.
    ///   - lenses: the lenses whose rules are checked.
    package init(
        selects: @escaping @Sendable (String) -> Bool,
        document: OpenAPICheck?,
        shownLimit: Int,
        lenses: LensSet = .standard
    ) {
        self.lenses = lenses
        self.selects = selects
        self.document = document
        self.shownLimit = shownLimit
        guard document != nil else { return }
        for rule in OpenAPIRules.all where selects(rule.id) { byRule[rule.id] = Outcome(rule: rule) }
        for sentence in document?.notes ?? [] { leaveUnchecked(0, sentence) }
    }

    /// The rules that applied, each with its findings: breaches first, and of these the rule that most exchanges break.
    package var outcomes: [Outcome] {
        byRule.values.sorted { left, right in
            if left.rule.severity != right.rule.severity { return left.rule.severity > right.rule.severity }
            if left.exchangeCount != right.exchangeCount { return left.exchangeCount > right.exchangeCount }
            return left.rule.id.compare(right.rule.id, options: .numeric) == .orderedAscending
        }
    }

    /// The exchange with its bodies, or with only their beginnings where no lens and no document reads more.
    package func capture(_ record: ExchangeRecord, source: ArchiveSource) throws -> Capture {
        if document == nil, record.summary.lens == nil {
            let start = try Capture(record, limitBytes: BodyStart.limitBytes, source: source)
            guard lenses.lens(of: start) != nil else { return start }
        }
        return try Capture(record, source: source)
    }

    /// Checks one exchange.
    ///
    /// - Parameters:
    ///   - capture: the exchange.
    ///   - earlier: gives an exchange that was added before, by its number.
    package mutating func add(_ capture: Capture, earlier: (ExchangeID) throws -> Capture?) rethrows {
        count += 1
        var findings: [CheckFinding] = []
        var isChecked = false
        let known = lenses.lens(of: capture)
        let capture = lenses.bounded(capture)
        if let lens = known {
            let asked = lens.rules.filter { selects($0.id) }
            for rule in asked where byRule[rule.id] == nil { byRule[rule.id] = Outcome(rule: rule) }
            if !asked.isEmpty {
                isChecked = true
                findings = lenses.findings(capture)
                for sentence in lens.unchecked(capture) { leaveUnchecked(capture.id, sentence) }
            }
            if let id = history.previous(of: capture), let before = try earlier(id) {
                let sentences = lens.changes(from: before, to: capture)
                if !sentences.isEmpty { note(Change(before: id, after: capture.summary, sentences: sentences)) }
            }
        }
        if let document {
            let result = document.check(capture)
            if result.isDescribed { isChecked = true } else { undescribedCount += 1 }
            findings += result.findings
            for sentence in result.unchecked { leaveUnchecked(capture.id, sentence) }
        }
        if isChecked {
            checkedCount += 1
            for (side, body) in [(MessageSide.request, capture.request), (.response, capture.response)] {
                if let problem = body.problem {
                    leaveUnchecked(capture.id, "the \(side.rawValue)'s body is not whole: \(problem)")
                }
            }
        }
        let asked = findings.filter { selects($0.rule) }
        if !asked.isEmpty { foundCount += 1 }
        for finding in asked { note(finding, capture.summary) }
    }

    private mutating func note(_ finding: CheckFinding, _ row: ExchangeSummary) {
        let unnamed = CheckRule(
            finding.rule,
            finding.rule,
            consequence: finding.consequence,
            severity: finding.severity
        )
        var outcome = byRule[finding.rule] ?? Outcome(rule: unnamed)
        byRule[finding.rule] = nil
        outcome.count += 1 + finding.more
        if outcome.last != row.id { outcome.exchangeCount += 1 }
        outcome.last = row.id
        if outcome.shown.count < shownLimit { outcome.shown.append((row, finding)) }
        byRule[finding.rule] = outcome
    }

    private mutating func note(_ change: Change) {
        changeCount += 1
        if changes.count < CheckRun.toldLimit { changes.append(change) }
    }

    private mutating func leaveUnchecked(_ id: ExchangeID, _ sentence: String) {
        if let place = unchecked.firstIndex(where: { $0.sentence == sentence }) {
            unchecked[place].more += 1
        } else if unchecked.count < CheckRun.toldLimit {
            unchecked.append(Unchecked(id: id, sentence: sentence))
        } else {
            untoldCount += 1
        }
    }
}
