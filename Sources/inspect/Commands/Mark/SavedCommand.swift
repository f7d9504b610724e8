import ArgumentParser
import Traffic

/// `inspect saved`: query texts under names.
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

    @Flag(help: "Print the list as one JSON object.")
    var json = false

    @OptionGroup var store: StoreOptions

    mutating func validate() throws {
        guard let name else {
            if remove { throw ValidationError("--remove needs a name; 'inspect saved' lists them") }
            return
        }
        if json { throw ValidationError("--json is for the list; leave the name out") }
        if remove, !terms.isEmpty { throw ValidationError("--remove takes the name alone") }
        if !remove, terms.isEmpty {
            throw ValidationError("write the query after the name \(name), or say --remove to forget it")
        }
    }

    func run() async throws {
        let console = Console()
        if let name {
            let name = try Tag.name(name)
            if remove {
                try await StoreEditor(store).forget(name)
            } else {
                let search = SavedSearch(name: name, query: try Selector(terms).text.queryText)
                let saved = try await StoreEditor(store).save(search)
                try console.line("@\(VisibleText.line(saved.name)) stands for \(VisibleText.line(saved.query))")
            }
        } else {
            try list(to: console)
        }
        try console.flush()
    }

    private func list(to console: Console) throws {
        let searches = try store.openForReading().savedSearches()
        guard json else {
            for search in searches {
                try console.line("@\(VisibleText.line(search.name))  \(VisibleText.line(search.query))")
            }
            return
        }
        var writer = JSONWriter(isIndented: console.isTerminal)
        writer.object { json in
            json.array("saved") { json in
                for search in searches {
                    json.object { json in
                        json.string("name", search.name)
                        json.string("query", search.query)
                    }
                }
            }
        }
        writer.newline()
        try console.write(writer.take())
    }
}
