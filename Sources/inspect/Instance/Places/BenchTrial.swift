import Store
import Traffic
import Web

/// A dry run for the page: bounded in time, and without a look at any file.
struct BenchTrial {
    /// What messages call a text that was typed.
    private static let textName = "yaml"

    /// Exchanges that are tried in the order in which they were captured, as rules count them live.
    private let stretch: Int

    /// A recorded exchange that is looked at only while somebody waits: each rule that asks for a part of it may take long.
    private struct Watched: FilterSubject {
        let subject: RecordedSubject
        let isWanted: () -> Bool

        var summary: ExchangeSummary { subject.summary }

        func message(_ side: MessageSide) throws -> Message? {
            try watch()
            return try subject.message(side)
        }

        func body(_ side: MessageSide, offset: Int64, limitBytes: Int) throws -> [UInt8] {
            try watch()
            return try subject.body(side, offset: offset, limitBytes: limitBytes)
        }

        func messages(after number: Int64) throws -> [StreamMessage] { subject.messages(after: number) }

        func watch() throws { guard isWanted() else { throw RuleTrial.Unwanted() } }
    }

    private let trial: RuleBench.Trial
    private let rules: [Rule]
    /// What is wrong with a text, so that there are no rules.
    private let problems: [RuleProblem]

    /// Reads the rules.
    ///
    /// - Parameters:
    ///   - trial: what is wanted.
    ///   - stretch: exchanges that are tried in the order in which they were captured.
    /// - Throws: what is no mistake of the text.
    init(_ trial: RuleBench.Trial, stretch: Int = 1_000) throws {
        (self.trial, self.stretch) = (trial, stretch)
        switch trial.tried {
        case .rules(let rules): (self.rules, problems) = (rules, [])
        case .yaml(let text):
            do {
                rules = try RuleFiles.rules(of: text, named: Self.textName)
                let nothing = RuleProblem(path: Self.textName, line: 1, column: 1, sentence: "there is no rule yet")
                problems = rules.isEmpty ? [nothing] : []
            } catch let refusal as RuleFiles.Refusal {
                (rules, problems) = ([], refusal.problems)
            }
        }
    }

    /// Tries the rules on the exchanges until the time is over, the newest stretch first.
    ///
    /// - Returns: `{"problems","warnings"}`, each with `{"line","column","sentence"}`; where there are rules also `of`, the exchanges that were to be
    ///   looked at, `late`, whether the time ended it, and what `RulesTryReport` writes.
    /// - Throws: `StoreError`, `CancellationError`.
    func json(_ store: TrafficStore) throws -> [UInt8] {
        // The text may have taken long to read.
        try Task.checkCancellation()
        let run = try problems.isEmpty ? run(store) : nil
        return JSONWriter.bytes { json in
            json.object { json in
                json.objects("problems", problems) { problem, json in
                    Self.write(problem.line, problem.column, problem.sentence, to: &json)
                }
                json.objects("warnings", RuleWarning.all(in: rules)) { warning, json in
                    Self.write(warning.place.line, warning.place.column, warning.sentence, to: &json)
                }
                guard let run else { return }
                json.integer("of", run.of)
                json.boolean("late", run.isLate)
                RulesTryReport(run: run.run).writeMembers(to: &json)
            }
            json.newline()
        }
    }

    private func run(_ store: TrafficStore) throws -> (run: RuleTrialRun, of: Int, isLate: Bool) {
        let ids = try store.ids(trial.filter)
        // A filter that takes long to answer leaves the trial its time; whoever waits for it can leave.
        let end = trial.clock.uptime + trial.time
        let clock = trial.clock
        let isWanted = { !Task.isCancelled && clock.uptime < end }
        var run = RuleTrialRun(rules, rowLimit: RuleBench.Trial.rowLimit, while: isWanted)
        do {
            var rest = ids[...]
            while !rest.isEmpty {
                let newest = Array(rest.suffix(stretch))
                rest = rest.dropLast(newest.count)
                try store.eachSummary(of: newest) { summary in
                    let subject = Watched(subject: RecordedSubject(summary, in: store), isWanted: isWanted)
                    try subject.watch()
                    try run.add(subject)
                }
            }
        } catch is RuleTrial.Unwanted {
            try Task.checkCancellation()
            // The answer says how many were looked at.
            return (run, ids.count, true)
        }
        return (run, ids.count, false)
    }

    private static func write(_ line: Int, _ column: Int, _ sentence: String, to json: inout JSONWriter) {
        json.integer("line", line)
        json.integer("column", column)
        json.string("sentence", sentence)
    }
}
