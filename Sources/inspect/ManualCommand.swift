import ArgumentParser
import Foundation
import Traffic

/// `inspect man`: the manual, from the commands' own declarations.
struct ManualCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "man",
        abstract: "Print a command's manual page, or write all of them.",
        discussion: """
            Examples:
              inspect man start | man -l -
              inspect man --output ~/.local/share/man/man1
            """
    )

    @Argument(help: ArgumentHelp("The command, as in 'config check'; none for inspect itself.", valueName: "command"))
    var names: [String] = []

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Write every page into this directory, one file each.", valueName: "dir"),
        completion: .directory
    )
    var output: String?

    func run() async throws {
        let pages = ManualPage.all(of: try CommandInformation(of: Inspect.self))
        guard let output else {
            guard let page = pages.first(where: { $0.path.dropFirst() == names[...] }) else {
                throw InputError("there is no command '\(names.joined(separator: " "))'; 'inspect help' lists them")
            }
            return try Console.write(Array(page.troff.utf8), to: STDOUT_FILENO)
        }
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        for page in pages {
            let file = try OutputFile("\(output)/\(page.name).1", mode: 0o644)
            try file.write(Array(page.troff.utf8))
            try file.finish()
        }
        try Console.write(Array("\(pages.count) pages in \(VisibleText.line(output))\n".utf8), to: STDOUT_FILENO)
    }
}
