import ArgumentParser
import Traffic

/// `inspect favourite`: exchanges worth keeping.
struct FavouriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite",
        abstract: "Mark exchanges as favourites, which retention keeps.",
        discussion: """
            The query 'is:favourite' finds them.

            Examples:
              inspect favourite 12 15
              inspect favourite --query 'tag:slow' --remove
            """
    )

    @Argument(help: ArgumentHelp("Numbers of exchanges: 7 or 10..20.", valueName: "id"))
    var ids: [String] = []

    @OptionGroup var options: MarkOptions

    mutating func validate() throws {
        _ = try selector()
    }

    func run() async throws {
        var change = MarkChange()
        change.favourite = !options.remove
        try await options.apply(to: selector(), change) { count in
            options.remove ? "\(count) no longer marked" : "\(count) marked"
        }
    }

    private func selector() throws -> Selector {
        let (numbers, rest) = try options.split(ids)
        if !rest.isEmpty, options.query != nil {
            throw ValidationError("give numbers of exchanges or --query, not both")
        }
        if !rest.isEmpty { throw ValidationError("\(rest[0]) is not the number of an exchange; --query takes a query") }
        return try options.selector(numbers)
    }
}
