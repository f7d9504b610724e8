import ArgumentParser
import Store
import Traffic

/// `inspect complete`: the query texts that a half-typed one may become.
struct CompleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "complete",
        abstract: "Print the query texts that a begun one may become.",
        discussion: """
            It completes keys, and values that are in the store, and prints one query text a line.

            Examples:
              inspect complete 'code:4'
              inspect complete 'method:GET ho'
            """,
        shouldDisplay: false
    )

    @Argument(help: ArgumentHelp("The query text as far as it is typed.", valueName: "query"))
    var query: String = ""

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let console = Console()
        for text in try store.openForReading().completions(of: QueryArguments.query([query])) {
            try console.line(VisibleText.line(text))
        }
        try console.flush()
    }
}
