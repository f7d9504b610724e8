import ArgumentParser
import Store
import Traffic

/// `inspect saved`: keeps queries under names.
struct SavedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "saved",
        abstract: "List saved searches, save one, or forget one.",
        discussion: """
            '@NAME' stands for a saved search in any query. A new query takes the place of the one before. Without a name the command lists the \
            saved searches.

            Examples:
              inspect saved broken 'code:5xx or outcome:failed'
              inspect ls '@broken since:1h'
              inspect saved broken --remove
            """
    )

    @Argument(help: "The name: one word.")
    var name: String?

    @Argument(help: ArgumentHelp("The query, or numbers of exchanges.", valueName: "selector"))
    var terms: [String] = []

    @Flag(help: "Forget this saved search.")
    var remove = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var store: StoreOptions

    mutating func validate() throws {
        guard let name else {
            if remove { throw ValidationError("--remove needs a name; 'inspect saved' lists them") }
            return
        }
        if output.json { throw ValidationError("--json is for the list; leave the name out") }
        if remove, !terms.isEmpty { throw ValidationError("--remove takes the name alone") }
        if !remove, terms.isEmpty {
            throw ValidationError("write the query after the name \(name), or say --remove to forget it")
        }
    }

    func run() async throws {
        guard let name else {
            return try Console().write(SavedReport(searches: store.openForReading().savedSearches()), output)
        }
        let tag = try Tag.name(name)
        guard !remove else { return try await StoreEditor(store).forget(tag) }
        let search = SavedSearch(name: tag, query: try Selector(terms).text.queryText)
        let saved = try await StoreEditor(store).save(search)
        let console = Console()
        try console.line("@\(VisibleText.line(saved.name)) stands for \(VisibleText.line(saved.query))")
        try console.flush()
    }
}
