import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// `inspect assert`: what must hold of the matching exchanges, for scripts and CI.
struct AssertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assert",
        abstract: "Check that the matching exchanges are as many and as fast as expected.",
        discussion: """
            Without an expectation, at least one exchange must match. The exit status is 1 when an expectation does not hold, and the exchanges that it fails for are \
            printed. A time is of the exchanges that have ended, WebSockets and tunnels aside; a percentile is a time that was measured (the nearest rank).

            Examples:
              inspect assert 'code:5xx' --count 0
              inspect assert 'path:/login' --count '>=1' --p95 '<300ms' --junit report.xml
              inspect assert 'host:cdn.test -code:2xx' --count 0 --har page.har
            """
    )

    @Option(help: ArgumentHelp("How many must match: 0, '>=5', 1..10.", valueName: "count"))
    var count: String?

    @Option(help: ArgumentHelp("The time that half of them stay within: '<100ms'.", valueName: "time"))
    var p50: String?

    @Option(help: ArgumentHelp("The time that 95 in 100 stay within.", valueName: "time"))
    var p95: String?

    @Option(help: ArgumentHelp("The time that 99 in 100 stay within.", valueName: "time"))
    var p99: String?

    @Option(help: ArgumentHelp("The time that all stay within.", valueName: "time"))
    var slowest: String?

    @Option(
        help: ArgumentHelp("Look at this archive in place of a store.", valueName: "file"),
        completion: .file()
    )
    var har: String?

    @Option(
        help: ArgumentHelp("Write the outcome as JUnit XML too.", valueName: "file"),
        completion: .file()
    )
    var junit: String?

    @Option(
        help: ArgumentHelp("Offending exchanges that are printed.", valueName: "count"),
        transform: Count.init(option:)
    )
    var limit = Count(20)

    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    func run() async throws {
        let assertions = try assertions()
        let selected = try filter.filter(now: Date())
        // The folder of an archive's store goes with this value.
        let archive = try har.map { try TemporaryArchiveStore($0) }
        let reading = try archive?.store ?? store.openForReading()
        var subject = AssertionSubject()
        try ExchangeReader(reading).each(selected) { subject.add($0) }
        let outcomes = assertions.map { $0.outcome(of: subject, limit: limit.count) }
        let console = Console()
        for outcome in outcomes {
            try console.line(outcome.line(console.style))
            guard !outcome.holds, !outcome.offending.isEmpty else { continue }
            let rows = try reading.summaries(of: outcome.offending)
            var table = ListingTable(console)
            table.fit(rows)
            try console.line(table.heading)
            for row in rows { try console.line(table.line(row)) }
            let more = outcome.offendingCount - rows.count
            if more > 0 { try console.line("… \(more) more") }
        }
        try console.flush()
        if let junit {
            let file = try OutputFile(junit, mode: 0o644)
            let report = JUnitReport(name: filter.query ?? "all exchanges", outcomes: outcomes)
            try file.write(try report.bytes { try reading.summaries(of: $0) })
            try file.finish()
        }
        if outcomes.contains(where: { !$0.holds }) { throw ExitCode(1) }
    }

    private func assertions() throws -> [Assertion] {
        var assertions: [Assertion] = []
        if let count { assertions.append(Assertion(.count, try expected("--count") { try Expectation(count: count) })) }
        let times: [(String, String?, Assertion.Measure)] = [
            ("--p50", p50, .percentile(50)), ("--p95", p95, .percentile(95)), ("--p99", p99, .percentile(99)),
            ("--slowest", slowest, .percentile(100)),
        ]
        for (name, text, measure) in times {
            guard let text else { continue }
            assertions.append(Assertion(measure, try expected(name) { try Expectation(time: text) }))
        }
        if assertions.isEmpty { assertions.append(Assertion(.count, try Expectation(count: ">=1"))) }
        return assertions
    }

    private func expected(_ name: String, _ read: () throws -> Expectation) throws -> Expectation {
        do { return try read() } catch { throw InputError("\(name) \(error)") }
    }
}
