import ArgumentParser
import Foundation
import Traffic

/// `inspect assert`: fails where the matching exchanges are not as many or not as fast as they should be.
struct AssertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assert",
        abstract: "Test how many requests match and how fast they were.",
        discussion: """
            The exit status is 1 if a limit is missed; the exchanges that break the limit are listed then. A limit is written as in a query: \
            0, '>=1', '2..5'; '<300ms', '<=2s'. Times are those of 'inspect stats'; where nothing was timed, every limit on time is missed.

            Examples:
              inspect assert 'code:5xx or outcome:failed or is:failed-inside' --count 0
              inspect assert 'host:api.example.com path:/v2' --count '>=1' --p95 '<300ms' --junit report.xml
              inspect assert 'code:5xx' --count 0 --from page.har
            """
    )

    @Option(help: ArgumentHelp("How many exchanges there must be: 0, '>=1', '2..5'.", valueName: "number"))
    var count: String?

    @Option(help: ArgumentHelp("The time that half of them must keep: '<100ms'.", valueName: "time"))
    var p50: String?

    @Option(help: ArgumentHelp("The time that 90 % of them must keep.", valueName: "time"))
    var p90: String?

    @Option(help: ArgumentHelp("The time that 95 % of them must keep.", valueName: "time"))
    var p95: String?

    @Option(help: ArgumentHelp("The time that 99 % of them must keep.", valueName: "time"))
    var p99: String?

    @Option(help: ArgumentHelp("The time that the slowest of them must keep.", valueName: "time"))
    var slowest: String?

    @Option(
        help: ArgumentHelp("Write the results as JUnit XML, one test case for each.", valueName: "file"),
        completion: .file()
    )
    var junit: String?

    @OptionGroup var output: OutputOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var source: ReadingOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    func validate() throws {
        do {
            if try assertions().isEmpty {
                throw ValidationError("nothing is asserted; give --count 0, --count '>=1' or --p95 '<300ms'")
            }
        } catch let error as FilterError {
            throw ValidationError(error.description)
        }
    }

    func run() async throws {
        let (wanted, (results, searchedInPart)) = try source.read { store in
            let wanted = try filter.filter(now: Date(), in: store)
            let run = AssertionRun(try assertions(), rowLimit: list.limit.count)
            return (wanted, try run.results(of: wanted, in: ExchangeReader(store)))
        }
        let title = wanted.isEmpty ? "all exchanges" : wanted.sentence
        let report = AssertReport(title: title, results: results, searchedInPart: searchedInPart)
        if let junit {
            let file = try OutputFile(named: junit, mode: 0o644)
            try file.write(Array(JUnitSuite(report).text.utf8))
            try file.finish()
        }
        try Console(outlivesReader: true).write(report, output)
        if results.contains(where: { !$0.holds }) { throw ExitCode(1) }
    }

    /// The assertions, in the order of the options.
    private func assertions() throws -> [Assertion] {
        let given: [(Assertion.Measure, String?, String)] = [
            (.count, count, "--count"), (.percentile(50), p50, "--p50"), (.percentile(90), p90, "--p90"),
            (.percentile(95), p95, "--p95"), (.percentile(99), p99, "--p99"),
            (.percentile(100), slowest, "--slowest"),
        ]
        return try given.compactMap { measure, text, option in
            try text.map { try Assertion(measure, $0, option: option) }
        }
    }
}
