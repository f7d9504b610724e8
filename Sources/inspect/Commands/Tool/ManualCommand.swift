import ArgumentParser
import Foundation
import Traffic

/// `inspect man`: the manual, its articles as they are written and its pages from the commands' own declarations.
struct ManualCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "man",
        abstract: "Print an article of the manual, or a command's page.",
        discussion: """
            Without a name it lists the articles. It prints an article as text, and a command's page in the macros of man(7), which man and groff \
            read. No article has the name of a command.

            Examples:
              inspect man
              inspect man queries
              inspect man start | man -l -
              inspect man --output ~/.local/share/man/man1
            """,
        shouldDisplay: false
    )

    @Argument(
        help: ArgumentHelp(
            "An article, or a command as in 'config check'; 'inspect' is the page of the program itself.",
            valueName: "name"
        )
    )
    var names: [String] = []

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Write the page of every command into this directory, one file each.", valueName: "dir"),
        completion: .directory
    )
    var output: String?

    @OptionGroup var colours: ColourOptions

    func run() async throws {
        if let output { return try writePages(into: output) }
        let console = Console(colours: colours.choice)
        if names.isEmpty {
            try list(console)
        } else if names.count == 1, let article = names.first.flatMap(Article.named) {
            for line in ArticleLines(in: console.layout).lines(article) { try console.line(line) }
        } else {
            try console.write(Array(try page().troff.utf8))
        }
        try console.flush()
    }

    /// Lists the articles, and says how a command's page is read.
    private func list(_ console: Console) throws {
        try console.line("The articles of the manual; 'inspect man NAME' prints one:")
        try console.line()
        let width = Article.all.map { TerminalCells.width($0.name) }.max() ?? 0
        for article in Article.all {
            let name = TextColumns.padded(article.name, to: width)
            try console.line("  \(console.style.paint(name, .cyan))  \(article.title)")
        }
        try console.line()
        try console.line("'inspect help' lists the commands, 'inspect help start' the options of one.")
        try console.line("'inspect man start | man -l -' shows a command's page.")
    }

    /// The page of the command that is named.
    private func page() throws -> CommandManual {
        let words = names == [Inspect._commandName] ? [] : names
        let pages = CommandManual.all(of: try CommandInformation(of: Inspect.self))
        if let page = pages.first(where: { Array($0.path.dropFirst()) == words }) { return page }
        let name = names.joined(separator: " ")
        let guess = EditDistance.nearest(to: name, in: Article.all.map(\.name) + Inspect.commandNames)
        let advice = guess.map { "did you mean '\($0)'?" } ?? "'inspect man' lists the articles"
        throw InputError("there is no article and no command '\(name)'; \(advice)")
    }

    private func writePages(into directory: String) throws {
        let pages = CommandManual.all(of: try CommandInformation(of: Inspect.self))
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for page in pages {
            let file = try OutputFile("\(directory)/\(page.name).1", mode: 0o644)
            try file.write(Array(page.troff.utf8))
            try file.finish()
        }
        try Console.write(Array("\(pages.count) pages in \(VisibleText.line(directory))\n".utf8), to: STDOUT_FILENO)
    }
}
