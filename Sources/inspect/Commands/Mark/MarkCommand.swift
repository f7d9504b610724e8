import ArgumentParser

/// `inspect mark`: what somebody says of exchanges.
struct MarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark",
        abstract: "Tag exchanges, note something on them, keep favourites.",
        discussion: """
            Exchanges are named by their numbers, by a query, or by the filter flags. --remove takes a mark back.

            Examples:
              inspect mark tag 12 15..18 slow
              inspect mark note 12 'sent twice: the retry came too early'
              inspect mark favourite 'tag:slow'
              inspect mark tag 12 slow --remove
            """,
        subcommands: [MarkTagCommand.self, MarkNoteCommand.self, MarkFavouriteCommand.self]
    )
}
