import Lenses
import Store
import Traffic

/// What the rule of a demonstration did: which exchange it changed, what the app makes of that, and what a dry run says of all that was recorded.
///
/// It reads everything from the store and the rule's file, so it is true of whatever that file says.
struct DemoRuleStory {
    /// An exchange that the rule changed.
    private struct Changed {
        let id: ExchangeID
        /// What was changed, as `show` says it.
        let sentence: String
        /// What the app shows otherwise than before; empty where it shows the same.
        let seen: [String]
    }

    private let changed: [Changed]
    private let run: RuleTrialRun
    private let command: String

    /// - Parameters:
    ///   - rule: the rule's file.
    ///   - store: where the run was recorded.
    ///   - range: its first and last exchange.
    ///   - changes: the answers of the run that differ from an earlier one of the same endpoint.
    ///   - storeOption: the option that has a command read this store.
    /// - Throws: what the store throws, and what is wrong with the file.
    init(
        _ rule: DemoRule,
        _ store: TrafficStore,
        _ range: ClosedRange<ExchangeID>,
        comparing changes: [CheckRun.Change],
        storeOption: String
    ) throws {
        let filter = Filter(.test(.number(.id, [range])))
        var changed: [Changed] = []
        try store.eachSummary(filter) { row in
            guard row.rules.contains(DemoRule.name), let uses = try store.exchange(row.id)?.rules else { return }
            let seen = changes.first { $0.after.id == row.id }?.sentences ?? []
            changed.append(Changed(id: row.id, sentence: uses.sentence, seen: seen))
        }
        var run = RuleTrialRun(try RuleFiles.rules(at: [rule.path]), rowLimit: 0)
        try run.add(filter, in: store)
        (self.changed, self.run) = (changed, run)
        command = "inspect rules try \(ShellWord(rule.path)) \(range.lowerBound)..\(range.upperBound)\(storeOption)"
    }

    /// The heading and the lines.
    var lines: [String] {
        let told = changed.map { exchange in
            let seen = exchange.seen.isEmpty ? "" : "; the app shows \(exchange.seen.joined(separator: ", "))"
            return "Exchange \(exchange.id) was changed by \(exchange.sentence)\(seen)"
        }
        return ["What a rule changed"] + told.map { "  " + VisibleText.line($0) } + [
            "  On what was recorded it would have touched \(run.touchedCount) of \(run.count.counted("exchange")): "
                + VisibleText.line(command)
        ]
    }
}
