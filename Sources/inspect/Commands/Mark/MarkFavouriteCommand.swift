import ArgumentParser
import Traffic

/// `inspect mark favourite`: exchanges worth keeping.
struct MarkFavouriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite",
        abstract: "Mark exchanges as favourites, which retention keeps.",
        discussion: """
            The query 'is:favourite' finds them.

            Examples:
              inspect mark favourite 12 15
              inspect mark favourite 'tag:slow' --remove
            """
    )

    @Argument(help: ArgumentHelp("Numbers of exchanges, or a query that selects them.", valueName: "selector"))
    var terms: [String] = []

    @OptionGroup var options: MarkOptions

    mutating func validate() throws { _ = try selector() }

    func run() async throws {
        var change = MarkChange()
        change.favourite = !options.remove
        try await options.apply(to: selector(), change) { count in
            options.remove ? "\(count) no longer marked" : "\(count) marked"
        }
    }

    private func selector() throws -> Selector {
        if options.query != nil, !terms.isEmpty {
            throw ValidationError("the query stands alone or behind --query; give it once")
        }
        return try options.selector(terms)
    }
}
