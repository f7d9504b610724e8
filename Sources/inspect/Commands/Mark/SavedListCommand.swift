import ArgumentParser
import Traffic

/// `inspect saved list`: the saved searches by name.
struct SavedListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the saved searches.")

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let searches = try store.openForReading().savedSearches()
        let console = Console()
        if json {
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
        } else {
            for search in searches {
                try console.line("@\(VisibleText.line(search.name))  \(VisibleText.line(search.query))")
            }
        }
        try console.flush()
    }
}
