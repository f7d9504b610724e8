import ArgumentParser
import Traffic

/// `inspect saved`: query texts under names.
struct SavedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "saved",
        abstract: "List, add and remove saved searches.",
        discussion: """
            '@NAME' stands for a saved search in any query.

            Examples:
              inspect saved add broken 'code:5xx or outcome:failed'
              inspect ls '@broken since:1h'
              inspect saved remove broken
            """,
        subcommands: [SavedListCommand.self, SavedAddCommand.self, SavedRemoveCommand.self],
        defaultSubcommand: SavedListCommand.self
    )
}
