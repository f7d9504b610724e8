import ArgumentParser
import Lenses

/// `--rule`: which rules captures are held to.
struct RuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only these rules, and rules that begin with these words: WO-3,VM,OA-schema; may be repeated.",
            valueName: "rules"
        )
    )
    var rule: [String] = []

    /// Every known rule.
    static let known: [CheckRule] = RuleSelection.known

    /// The selected rules.
    var selection: RuleSelection { RuleSelection(rule) }

    mutating func validate() throws {
        if let problem = selection.problem { throw ValidationError("--rule: \(problem)") }
    }

    /// Whether a rule is selected.
    func select(_ id: String) -> Bool { selection.includes(id) }
}
