import ArgumentParser
import Foundation
import Traffic

/// `inspect replay`: sends recorded requests again and compares the answers.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Send recorded requests again and compare the answers.",
        discussion: """
            The requests go through the running proxy, byte for byte unless they are edited. Each new exchange is recorded and linked to the first. \
            Recorded credentials go to their own origin (scheme, host and port) only, unless --send-credentials. A query leaves replays out unless \
            it says is:replay. The filter flags narrow what is selected; 'method:GET' in a query selects by the method, and --set-method edits it. \
            With --against the exit status is 1 where an answer differs.

            Examples:
              inspect replay 17
              inspect replay 17 --to http://127.0.0.1:8081 --query-item open_now --header 'X-Try: 2'
              inspect replay 'host:api.example.com since:1h' --against http://127.0.0.1:8081 --ignore 'json:$..modified'
              inspect replay 17 --times 1000 --rate 200 --parallel 16
            """
    )

    @Argument(
        help: ArgumentHelp(
            "What to send: numbers and ranges (7 10..20), or a query as one text.",
            discussion: "A number that is meant as text stands in quotation marks of its own: '\"12\"'.",
            valueName: "selector"
        )
    )
    var terms: [String] = []

    @Option(
        help: ArgumentHelp(
            "Send to this origin, and fail where an answer differs from the recorded one.",
            valueName: "base-url"
        )
    )
    var against: String?

    @Option(help: ArgumentHelp("Write the comparison as JUnit XML.", valueName: "file"), completion: .file())
    var junit: String?

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Request") var editing: ReplayEditOptions
    @OptionGroup(title: "Pace") var pace: ReplayPaceOptions
    @OptionGroup(title: "Comparison") var comparison: NoiseOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var flags: FilterFlags

    func validate() throws {
        guard try !selection().isEmpty else {
            throw ValidationError("name exchanges by number, or a query or filter flags that select them")
        }
        try editing.requireClearMethod(beside: selection())
        if against != nil, editing.to != nil { throw ValidationError("--against says where they go; leave --to out") }
        if comparison.samples != nil, pace.times.count > 1 {
            throw ValidationError("--learn-noise sends each more than once by itself; leave --times out")
        }
        if try editing.edit && (selection().single == nil || output.json) {
            throw ValidationError("--edit takes one exchange by its number, without --json")
        }
        if let problem = editing.problem(against: against) { throw ValidationError(problem) }
    }

    func run() async throws {
        if editing.formerMethod != nil {
            Console.remark("inspect: \(FormerSpelling.remark("replay --method", isNow: "replay --set-method"))")
        }
        let reading = try store.openForReading()
        // Before an editor is opened: what somebody wrote there must not be lost to what could be known.
        let client = try InstanceClient.running(on: store)
        var plan = try selection().plan(in: reading, now: Date())
        var edits = try editing.edits(against: against)
        if editing.edit, let id = plan.ids?.first { edits = try await RequestEditor(reading).edited(id, edits) }
        if !edits.isEmpty { plan.edits = edits }
        pace.write(to: &plan)
        let report = ComparisonReport(
            Console(colours: output.colours.choice, outlivesReader: true),
            form: output.json ? .json : plan.ids?.count == 1 && pace.times.count == 1 ? .full : .differences,
            junit: junit
        )
        let run = ReplayRun(
            client,
            reading,
            CaptureDiff(noise: try comparison.noise(), scope: .replay)
        )
        try await run.run(plan, samples: comparison.samples, into: report)
        if report.isEmpty {
            let tested = against == nil ? "" : ", so nothing is tested"
            throw InputError(
                "nothing was sent\(tested): \(report.emptiness(of: terms.isEmpty ? plan.q ?? "" : terms.joined(separator: " ")))"
            )
        }
        try report.finish()
        if report.failedCount > 0 || against != nil && !report.isEqual { throw ExitCode(1) }
    }

    private func selection() throws -> ReplaySelection { try ReplaySelection(terms, flags: flags) }
}
