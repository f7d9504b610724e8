import ArgumentParser
import Foundation
import Store
import Traffic

/// `inspect clear`: deletes what was recorded, or what a query selects of it.
struct ClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete the matching exchanges, or all of them.",
        discussion: """
            The command works beside a running proxy; exchanges that are still open stay. New exchanges use the freed room again; \
            'inspect store compact' gives it back and leaves nothing of the deleted exchanges. In a store of more than 10,000 exchanges, addresses \
            and certificates that no exchange has any more are deleted when a sixteenth of the exchanges was deleted, or by \
            'inspect store compact'.

            Examples:
              inspect clear
              inspect clear 12 15..18 --yes
              inspect clear 'host:cdn.test before:1d tag:none -is:favourite' --yes
            """
    )

    @Flag(name: [.short, .long], help: "Do not ask; needed where there is no terminal to ask on.")
    var yes = false

    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    mutating func validate() throws {
        let selector = try filter.selector()
        guard filter.terms.isEmpty || !selector.text.isEmpty else {
            throw ValidationError("an empty query would delete everything; leave it out if that is meant")
        }
        try selector.requireUnmixed()
    }

    func run() async throws {
        let console = Console()
        let reading = try store.openForReading()
        let filter = try filter.filter(now: Date(), in: reading)
        let meant = try reading.list(ListingQuery(filter: filter, limit: 0, countsFacets: false)).matched
        try reading.close()
        guard meant > 0 else {
            try console.line("Nothing to delete: no exchange matches.")
            return try console.flush()
        }
        let what = ClearCommand.words(for: filter, count: meant)
        if !yes {
            guard isatty(STDIN_FILENO) == 1, console.isTerminal else {
                throw InputError("this would delete \(what); say --yes to do so without being asked")
            }
            try Console.write(Array("Delete \(what)? [y/N] ".utf8), to: STDOUT_FILENO)
            guard ["y", "yes"].contains(readLine()?.lowercased() ?? "") else {
                try console.line("Nothing was deleted.")
                return try console.flush()
            }
        }
        let result = try await StoreEditor(store).clear(filter)
        var line = "Deleted \(result.deleted.counted("exchange"))."
        if result.open > 0 { line += " \(result.open.counted("still open stays", "still open stay"))." }
        try console.line(line)
        try console.flush()
    }

    /// What is about to be deleted: how many exchanges, and in words which.
    static func words(for filter: Filter, count: Int) -> String {
        "\(count.counted("exchange")) (\(VisibleText.line(filter.sentence)))"
    }
}
