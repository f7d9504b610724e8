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
        let rest = try options.split(ids).rest
        if !rest.isEmpty { throw ValidationError("\(rest[0]) is not the number of an exchange") }
    }

    func run() async throws {
        var change = MarkChange()
        change.favourite = !options.remove
        try await options.apply(to: ids, change) { count in
            options.remove ? "\(count) no longer marked" : "\(count) marked"
        }
    }
}
