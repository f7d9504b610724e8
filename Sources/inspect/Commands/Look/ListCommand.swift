import ArgumentParser
import Foundation

/// `inspect ls`: lists the matching rows.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List the matching exchanges, newest first.",
        discussion: """
            Examples:
              inspect ls 'path:/v2 (code:5xx or "not found")' --limit 20
              inspect ls --code 404 --jsonl | jq .target
              inspect ls --from page.har --type json
            """
    )

    @OptionGroup var source: ReadingOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions
    @OptionGroup(title: "Page") var page: PageOptions

    func run() async throws {
        try source.read { store in
            let query = page.query(try filter.filter(now: Date(), in: store), countsFacets: false)
            try Console().write(ListReport(store: store, query: query), page)
        }
    }
}
