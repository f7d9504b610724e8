import ArgumentParser

/// `inspect store`: shows, checks and compacts the store.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Show and check the store, or compact it.",
        discussion: """
            Examples:
              inspect store
              inspect store --quick --json
              inspect store compact
            """,
        subcommands: [StoreShowCommand.self, StoreCompactCommand.self],
        defaultSubcommand: StoreShowCommand.self
    )
}
