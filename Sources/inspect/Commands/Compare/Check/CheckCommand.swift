import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// `inspect check`: checks captures by the rules of their APIs, and by an OpenAPI document.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check captures by the rules of their API.",
        discussion: """
            Each finding has its rule, the exchange, the place in the body (a JSON pointer), and what a client makes of it. A breach makes the exit \
            status 1. Bodies of more than 64 MiB decoded are listed as unchecked. Changes between captures of the same endpoint are listed too, and \
            are no breach. --openapi also holds the captures to a document of OpenAPI 3.0 or 3.1, as JSON or YAML.

            Examples:
              inspect check
              inspect check 17 40..45 --rule WO,VM-V1
              inspect check --from page.har --strict
              inspect check 'since:1h' --openapi api.yaml --rule OA --junit report.xml
            """
    )

    @OptionGroup var rules: RuleOptions
    @OptionGroup(title: "Document") var document: OpenAPIOptions

    @Flag(help: "Fail on notices too.")
    var strict = false

    @Option(
        help: ArgumentHelp("Write the results as JUnit XML, a test case a rule.", valueName: "file"),
        completion: .file()
    )
    var junit: String?

    @OptionGroup var output: OutputOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var source: ReadingOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    func run() async throws {
        let check = try document.check()
        let report = try source.read { try checked(by: check, in: $0) }
        if let junit {
            let file = try OutputFile(named: junit, mode: 0o644)
            try file.write(Array(report.junit.text.utf8))
            try file.finish()
        }
        try Console(outlivesReader: true).write(report, output)
        if !report.holds { throw ExitCode(1) }
    }

    /// Checks what is selected.
    private func checked(by document: OpenAPICheck?, in store: TrafficStore) throws -> CheckReport {
        let selection = try CheckSelection(filter, in: store, now: Date())
        var run = CheckRun(rules: rules, document: document, shownLimit: list.limit.count)
        try run.add(selection, in: store)
        return CheckReport(run: run, title: selection.title, isStrict: strict)
    }
}
