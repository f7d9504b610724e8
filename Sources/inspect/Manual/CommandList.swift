import ArgumentParser

/// What `inspect help` prints: the commands by their groups, each with what it does, on one screen.
struct CommandList {
    /// The page.
    let text: String

    /// Whether a command line, without the program's name, asks for this page.
    static func isAskedFor(by words: [String]) -> Bool { [["help"], ["--help"], ["-h"]].contains(words) }

    /// Writes the page of a program from what its commands say of themselves; hidden commands are left out.
    init(of program: CommandConfiguration) {
        let groups = program.groupedSubcommands.map { group in
            (name: group.name, commands: group.subcommands.map { $0.configuration }.filter(\.shouldDisplay))
        }.filter { !$0.commands.isEmpty }
        let groupWidth = groups.map { TerminalCells.width($0.name) }.max() ?? 0
        let names = groups.flatMap(\.commands).compactMap(\.commandName)
        let nameWidth = names.map(TerminalCells.width).max() ?? 0
        let blocks: [String] = groups.map { group in
            let lines: [String] = group.commands.enumerated().map { index, command in
                let heading = TextColumns.padded(index == 0 ? group.name : "", to: groupWidth)
                let name = TextColumns.padded(command.commandName ?? "", to: nameWidth)
                return "\(heading)  \(name)  \(command.abstract)"
            }
            return lines.joined(separator: "\n")
        }
        let end = """
            Ask 'inspect help COMMAND' for its options, 'inspect man' for the manual,
            and 'inspect --version' for the version.
            """
        text = ([program.abstract] + blocks + [end]).joined(separator: "\n\n")
    }
}
