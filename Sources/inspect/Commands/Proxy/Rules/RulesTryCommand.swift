import ArgumentParser
import Foundation
import Traffic

/// `inspect rules try`: what rules would have done to recorded exchanges.
struct RulesTryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Say what rules would have done to recorded traffic.",
        discussion: """
            Nothing is changed and nothing is sent. The rules are decided by the code that decides them live, on the exchanges in the order in which \
            they were captured, with counters that start at 0. Words that are files are rules files; without one, the files of the running proxy or \
            of the configuration are read. Files that rules answer with are looked at as they are now. Names of rules behind the files try those \
            alone, even where they are off. What follows is a query. The exit status is 1 where a rule or a file that was named would have touched nothing.

            Examples:
              inspect rules try rules.yaml
              inspect rules try rules.yaml staging 'host:api.example.com since:1h'
              inspect rules try rules.yaml --diff 17
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Rules files, names of rules, then numbers or a query that select exchanges.",
            valueName: "name|file|selector"
        ),
        completion: .file()
    )
    var terms: [String] = []

    @Option(help: ArgumentHelp("Show the heads of this exchange before and after.", valueName: "id"))
    var diff: String?

    @OptionGroup var output: OutputOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var source: ReadingOptions
    @OptionGroup(title: "Filter") var method: MethodFlag
    @OptionGroup(title: "Filter") var flags: FilterFlags

    func run() async throws {
        let tried = try TriedRules(terms, usual: try RulePlaces.usual(source.store))
        let id = try diff.map(Selector.one)
        let selector = try Selector(tried.query, flags: FlaggedFilter(flags: flags, method: method))
        let run = try source.read { store in
            let answers = TrialAnswers(store, isArchive: source.archive != nil)
            var run = RuleTrialRun(tried.rules, rowLimit: list.limit.count, showing: id, answers: answers)
            try run.add(try selector.filter(in: store, now: Date()), in: store)
            return run
        }
        if let shown = run.shown, !shown.isFound {
            throw InputError("exchange \(shown.id) is not among those that were looked at")
        }
        try Console(outlivesReader: true).write(RulesTryReport(run: run), output)
        if !tried.idle(run).isEmpty { throw ExitCode(1) }
    }
}
