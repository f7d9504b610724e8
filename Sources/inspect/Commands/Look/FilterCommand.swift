import ArgumentParser
import Foundation

/// `inspect filter`: the counted categories of what was recorded, then the matching rows.
struct FilterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter",
        abstract: "Count matching exchanges by category, and list them.",
        discussion: """
            The categories (code, method, scheme and more) come first, then the exchanges, newest first. A category counts under the selections of \
            the others, so its numbers say what one more choice would give. A star marks a selected value.

            Examples:
              inspect filter --code 5xx,failed --method GET
              inspect filter 'type:json -host:cdn.test time:>500ms' --json
            """
    )

    /// Whose filter to be like.
    enum Compatibility: String, ExpressibleByArgument, CaseIterable {
        case wormholy
    }

    @Option(
        help: ArgumentHelp(
            "Count and select as the Wormholy app does.",
            discussion:
                "It has codes and methods only, and counts over everything. A selection hides exchanges without a code. The query is text of the URL.",
            valueName: "app"
        )
    )
    var compat: Compatibility?

    @OptionGroup var source: ReadingOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions
    @OptionGroup(title: "Page") var page: PageOptions

    func run() async throws {
        let printer = ListingPrinter(console: Console(), page: page)
        try source.read { store in
            guard compat == .wormholy else {
                return try printer.print(filter.filter(now: Date(), in: store), from: store, showsFacets: true)
            }
            let listing = try WormholyListing(
                selections: filter.flagged.filter(now: Date()),
                text: QueryArguments.query(filter.terms)
            )
            .read(from: store, page: page)
            try printer.print(listing, showsFacets: true)
        }
    }
}
