import ArgumentParser
import Foundation
import Store
import Traffic

/// `inspect filter`: counts what was recorded by category, then lists the matching rows.
struct FilterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter",
        abstract: "Count matching exchanges by category, and list them.",
        discussion: """
            The categories (code, method, scheme and more) come first, then the exchanges, newest first. A category counts under the selections of \
            the others, so its numbers say what one more choice would give. A star marks a selected value.

            Examples:
              inspect filter 'code:5xx or outcome:failed' --method GET
              inspect filter 'type:json -host:cdn.test time:>500ms' --json
            """
    )

    /// The app whose filter is imitated.
    enum Compatibility: String, ExpressibleByArgument, CaseIterable {
        case wormholy
    }

    @Option(
        help: ArgumentHelp(
            "Count and select as the Wormholy app does.",
            discussion:
                """
                It has codes, methods and schemes only, and counts over every exchange with a code, whatever is selected. A selection hides exchanges \
                without a code or without a scheme. The query is text of the URL.
                """,
            valueName: "app"
        )
    )
    var compat: Compatibility?

    @Option(
        help: ArgumentHelp(
            "Order of each category's values: name (codes as numbers) or count (the most frequent first).",
            valueName: "order"
        )
    )
    var valuesBy = FacetOrder.name

    @OptionGroup var source: ReadingOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions
    @OptionGroup(title: "Page") var page: PageOptions

    func run() async throws {
        try source.read { store in
            var shown = try report(from: store)
            shown.order(valuesBy: valuesBy)
            try Console().write(shown, page)
        }
    }

    private func report(from store: TrafficStore) throws -> FilterReport {
        guard compat == .wormholy else {
            let filter = try filter.filter(now: Date(), in: store)
            return try FilterReport(page.query(filter, countsFacets: !page.jsonl), from: store)
        }
        let rules = WormholyRules(
            selections: try filter.flagged.filter(now: Date()),
            text: QueryArguments.query(filter.terms)
        )
        return FilterReport(try rules.listing(from: store, page: page))
    }
}

extension FacetOrder: ExpressibleByArgument {}
