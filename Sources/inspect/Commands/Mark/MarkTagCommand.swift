import ArgumentParser
import Traffic

/// `inspect mark tag`: words that exchanges are found by again.
struct MarkTagCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Tag exchanges; the query 'tag:NAME' finds them.",
        discussion: """
            Tags are counted in a category of their own.

            Examples:
              inspect mark tag 12 15..18 slow
              inspect mark tag --query 'code:5xx since:1h' incident-7
              inspect mark tag 12 slow --remove
            """
    )

    @Argument(
        help: ArgumentHelp("Numbers of exchanges, then tags: letters, digits and -_.:/@#+.", valueName: "id-or-tag")
    )
    var words: [String]

    @OptionGroup var options: MarkOptions

    mutating func validate() throws { _ = try parts() }

    func run() async throws {
        let (selector, tags) = try parts()
        let names = tags.joined(separator: ", ")
        let change = try MarkChange.tags(tags, isRemoval: options.remove)
        try await options.apply(to: selector, change) { count in
            options.remove ? "\(names) taken from \(count)" : "\(count) tagged \(names)"
        }
    }

    private func parts() throws -> (selector: Selector, tags: [String]) {
        var (numbers, tags) = try options.split(words)
        // A tag may be a number too: the last word always is one.
        if tags.isEmpty, numbers.count > 1 { tags = [numbers.removeLast()] }
        guard !tags.isEmpty else {
            throw ValidationError("name a tag after the exchanges, for example: inspect mark tag 12 slow")
        }
        let selector = try options.selector(numbers)
        do {
            return (selector, try tags.map(Tag.name))
        } catch let error as FilterError {
            throw ValidationError(error.description)
        }
    }
}
