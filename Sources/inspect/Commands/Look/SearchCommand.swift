import ArgumentParser
import Foundation
import Traffic

/// `inspect search`: lists the matching rows, each with where the text stands in it.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "List the exchanges that hold a text, and where.",
        discussion: """
            A word or a "quoted phrase" is looked for in URLs, header fields, decoded bodies and messages, ignoring case. Keys narrow the search or \
            name the place: body:, header:, message:, path: and others ('inspect man queries'). The newest exchange comes first.

            A number alone is an exchange's; '"404"' searches for the text.

            Examples:
              inspect search 'open_now'
              inspect search 'resbody:"not found" code:200 since:1h' --jsonl | jq .matches
            """
    )

    @OptionGroup var source: ReadingOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions
    @OptionGroup(title: "Page") var page: PageOptions

    mutating func validate() throws {
        if filter.terms.isEmpty {
            throw ValidationError("name what to search for, for example: inspect search 'not found'")
        }
    }

    func run() async throws {
        try source.read { store in
            let query = page.query(try filter.filter(now: Date(), in: store), countsFacets: false)
            try Console().write(SearchReport(store: store, query: query), page)
        }
    }
}
