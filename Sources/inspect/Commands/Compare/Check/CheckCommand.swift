import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// `inspect check`: what is wrong with the captures by the rules of their APIs, and by an OpenAPI document.
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

    @Option(
        help: Limit.help("Findings to show of each rule, at most."),
        transform: Limit.init(option:)
    )
    var limit = Limit.standard

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var source: ReadingOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    func run() async throws {
        let check = try document.check()
        let console = Console(outlivesReader: true)
        let view = try source.read { try checked(by: check, in: $0, for: console) }
        if let junit {
            let file = try OutputFile(named: junit, mode: 0o644)
            try file.write(Array(view.junit.text.utf8))
            try file.finish()
        }
        if json { try console.write(view.json) } else { for line in view.lines { try console.line(line) } }
        try console.flush()
        if !view.holds { throw ExitCode(1) }
    }

    /// Checks what is selected.
    private func checked(
        by document: OpenAPICheck?,
        in store: TrafficStore,
        for console: Console
    ) throws -> CheckView {
        let selection = try CheckSelection(filter, in: store, now: Date())
        var run = CheckRun(rules: rules, document: document, shownLimit: limit.count)
        try run.add(selection, in: store)
        return CheckView(run: run, title: selection.title, isStrict: strict, console: console)
    }
}
