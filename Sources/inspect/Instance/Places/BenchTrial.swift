import Store
import Traffic
import Web

/// A dry run for the page: bounded in time, and without a look at any file.
struct BenchTrial {
    /// What messages call a text that was typed.
    private static let textName = "yaml"

    /// The time is over.
    private struct Late: Error {}

    private let trial: RuleBench.Trial
    private let rules: [Rule]
    /// What is wrong with a text, so that there are no rules.
    private let problems: [RuleProblem]

    /// Reads the rules.
    ///
    /// - Throws: what is no mistake of the text.
    init(_ trial: RuleBench.Trial) throws {
        self.trial = trial
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

    /// Tries the rules on the exchanges, oldest first, until the time is over.
    ///
    /// - Returns: `{"problems","warnings"}`, each with `{"line","column","sentence"}`; where there are rules also `of`, the exchanges that were to be
    ///   looked at, and what `RulesTryReport` writes.
    /// - Throws: `StoreError`, `CancellationError`.
    func json(_ store: TrafficStore) throws -> [UInt8] {
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
                RulesTryReport(run: run.run).writeMembers(to: &json)
            }
            json.newline()
        }
    }

    private func run(_ store: TrafficStore) throws -> (run: RuleTrialRun, of: Int) {
        var run = RuleTrialRun(rules, rowLimit: RuleBench.Trial.rowLimit)
        let ids = try store.ids(trial.filter)
        // A filter that takes long to answer leaves the trial its time; whoever waits for it can leave.
        let end = trial.clock.uptime + trial.time
        do {
            try store.eachSummary(of: ids) { summary in
                guard trial.clock.uptime < end else { throw Late() }
                try run.add(RecordedSubject(summary, in: store))
            }
        } catch is Late {
            // The answer says how many were looked at.
        }
        return (run, ids.count)
    }

    private static func write(_ line: Int, _ column: Int, _ sentence: String, to json: inout JSONWriter) {
        json.integer("line", line)
        json.integer("column", column)
        json.string("sentence", sentence)
    }
}
