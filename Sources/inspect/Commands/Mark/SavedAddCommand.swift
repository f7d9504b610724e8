import ArgumentParser
import Traffic

/// `inspect saved add`: a query text under a name.
struct SavedAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Save a query under a name, in the place of one before."
    )

    @Argument(help: "The name: one word.")
    var name: String

    @Argument(help: ArgumentHelp("The query, or numbers of exchanges.", valueName: "selector"))
    var terms: [String]

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let search = SavedSearch(name: try Tag.name(name), query: try Selector(terms).text.queryText)
        let saved = try await StoreEditor(store).save(search)
        let console = Console()
        try console.line("@\(VisibleText.line(saved.name)) stands for \(VisibleText.line(saved.query))")
        try console.flush()
    }
}
