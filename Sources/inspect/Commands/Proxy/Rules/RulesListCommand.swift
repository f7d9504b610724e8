import ArgumentParser
import Foundation
import Traffic

/// `inspect rules list`: the rules of the running proxy, with what they have done.
struct RulesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the rules of the running proxy (also 'inspect rules' alone).",
        discussion: """
            Each rule has whether it is on, how often it applied, and when it last did. A rule is skipped where it cannot be judged or not be \
            done, and shadowed where another rule answers the request on which it acts. The exit status is 1 where the files have mistakes \
            now, so that the rules of before hold.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let list = try await RunningRuleList(store).list()
        let report = RulesListReport(list: list, now: Moment.microseconds(Date()))
        try Console(outlivesReader: true).write(report, output)
        if !list.problems.isEmpty { throw ExitCode(1) }
    }
}
