import ArgumentParser
import Foundation

/// `inspect filter`: the counted categories of what was recorded, then the matching rows.
struct FilterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter",
        abstract: "Show counted categories (code, method, scheme …), then the matching exchanges, newest first.",
        discussion: """
            A category counts what the other categories select, so the numbers say what one more choice would give. A star marks what is selected.

            Examples:
              inspect filter --code 5xx,failed --method GET
              inspect filter 'type:json -host:cdn.test time:>500ms' --json
            """
    )

    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions
    @OptionGroup(title: "Page") var page: PageOptions

    func run() async throws {
        try ListingPrinter(console: Console(), page: page)
            .print(filter.filter(now: Date()), from: store.openForReading(), showsFacets: true)
    }
}
