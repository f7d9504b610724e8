import Store
import Traffic

/// A dry run of rules over the exchanges that a filter selects, oldest first.
struct RuleTrialRun {
    /// An exchange that a rule would have touched.
    struct Row {
        let summary: ExchangeSummary
        let uses: [RuleUse]
        /// Whether the upstream would have got another request than it answered.
        let mayDiffer: Bool
        /// Why rules for the response were not tried; `nil` where they were.
        let gap: String?
    }

    /// The exchange whose messages are shown before and after.
    struct Shown {
        /// Bytes of an answer that are read to be shown.
        static let answerLimitBytes = 8_000

        let id: ExchangeID
        var touch: RuleTrial.Touch?
        var request: Message?
        var response: Message?
        /// The first bytes of what a rule answers with: the store is closed once they are shown.
        var answerStart: [UInt8] = []
        /// Whether the selection holds it.
        var isFound = false
    }

    private let trial: RuleTrial
    /// Rows that are kept.
    private let rowLimit: Int
    private(set) var rows: [Row] = []
    /// Exchanges that were touched, kept or not.
    private(set) var touchedCount = 0
    /// Exchanges that were looked at.
    private(set) var count = 0
    /// The exchange to show; `nil` where none was asked for.
    private(set) var shown: Shown?

    /// - Parameters:
    ///   - rules: the rules in order; their counters start at 0.
    ///   - rowLimit: touched exchanges that are kept, the oldest first.
    ///   - id: an exchange whose messages are to be shown.
    ///   - isWanted: whether somebody waits for it still, asked now and then while a body is edited; `nil` where somebody always does.
    ///   - answers: looks for what rules answer with; `nil` where nobody looks.
    init(
        _ rules: [Rule],
        rowLimit: Int,
        showing id: ExchangeID? = nil,
        while isWanted: (() -> Bool)? = nil,
        answers: TrialAnswers? = nil
    ) {
        let list = RuleList(rules, now: 0)
        let wanted = isWanted ?? { true }
        trial = answers.map { RuleTrial(list, while: wanted, contents: $0.content) } ?? RuleTrial(list, while: wanted)
        self.rowLimit = rowLimit
        shown = id.map { Shown(id: $0) }
    }

    /// The rules.
    var rules: [Rule] { trial.list.rules }

    /// What each rule would have done in all exchanges that were looked at, in the order of the rules.
    var figures: [RuleCounter.Figures] { trial.list.figures }

    /// Tries the rules on every exchange of a selection.
    ///
    /// - Throws: `StoreError`.
    mutating func add(_ filter: Filter, in store: TrafficStore) throws {
        let progress = Progress()
        defer { progress.clear() }
        try store.eachSummary(filter) { summary in
            progress.tell(Int64(count), of: nil, "try")
            try add(RecordedSubject(summary, in: store))
        }
    }

    /// Tries the rules on an exchange, captured after those before.
    ///
    /// - Throws: what the subject throws; `RuleTrial.Unwanted` where nobody waits any more, and then the exchange was not looked at.
    mutating func add(_ subject: some FilterSubject) throws {
        let summary = subject.summary
        let touch = try trial.touch(subject)
        // One of which nobody saw the end was not tried.
        count += 1
        if summary.id == shown?.id {
            shown?.isFound = true
            shown?.touch = touch
            shown?.answerStart = try touch?.answer?.body(offset: 0, limitBytes: Shown.answerLimitBytes) ?? []
            shown?.request = try subject.message(.request)
            shown?.response = try subject.message(.response)
        }
        guard let touch else { return }
        touchedCount += 1
        guard rows.count < rowLimit else { return }
        rows.append(Row(summary: summary, uses: touch.uses, mayDiffer: touch.mayDiffer, gap: touch.gap))
    }
}
