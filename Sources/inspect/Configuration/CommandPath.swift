import ArgumentParser

/// The command that a command line names, and what stands behind it.
struct CommandPath {
    /// The words that name it.
    let names: [String]
    /// Its type, or that of its default sub-command where no further word names one; `nil` where the first word names none.
    let command: (any ParsableCommand.Type)?
    /// The words behind the command's name.
    let rest: [String]

    /// Follows the words of a command line, without the program's name, as far as they name commands.
    init(_ words: [String]) {
        var command: (any ParsableCommand.Type)?
        var known = Inspect.configuration.subcommands
        var count = 0
        while count < words.count, let next = known.first(where: { $0._commandName == words[count] }) {
            command = next
            known = next.configuration.subcommands
            count += 1
        }
        names = Array(words[..<count])
        self.command = command?.configuration.defaultSubcommand ?? command
        rest = Array(words[count...])
    }
}
