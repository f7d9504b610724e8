import ArgumentParser
import Foundation
import Store
import Traffic

/// Which exchanges are to be marked: by number, or by a query.
struct MarkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Take all exchanges that this query selects, in place of numbers.", valueName: "query")
    )
    var query: String?

    @Flag(help: "Remove the mark in place of setting it.")
    var remove = false

    @OptionGroup var store: StoreOptions

    /// Marks the exchanges and says how many.
    ///
    /// - Parameters:
    ///   - ids: their numbers, `7` or `10..20`; none goes with `--query`.
    ///   - change: what is to be said of them.
    ///   - what: the sentence about `n` exchanges, without the full stop.
    /// - Throws: `InputError` when there is none of them.
    func apply(to ids: [String], _ change: MarkChange, saying what: (String) -> String) async throws {
        let text = query ?? "id:" + ids.joined(separator: ",")
        let reading = try store.openForReading()
        let filter = try FilterParser.parse(reading.expanded(text), now: Moment.microseconds(Date()))
        try reading.close()
        let count = try await StoreEditor(store).mark(filter, change)
        guard count > 0 || query != nil else {
            throw InputError("there is no exchange \(ids.joined(separator: ", ")) in the store")
        }
        let console = Console()
        try console.line(what("\(count) exchange\(count == 1 ? "" : "s")") + ".")
        try console.flush()
    }

    /// Splits what was given into numbers of exchanges and what follows.
    ///
    /// - Throws: `ValidationError` when there are neither numbers nor a query, or both.
    func split(_ words: [String]) throws -> (ids: [String], rest: [String]) {
        let words = words.map(QueryArguments.written)
        let ids = words.prefix { word in word.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") } }
        if query != nil {
            guard ids.isEmpty || ids.count == words.count else {
                throw ValidationError("give numbers of exchanges or --query, not both")
            }
            return ([], words)
        }
        guard !ids.isEmpty else {
            throw ValidationError("name the exchanges by their numbers (7 or 10..20), or by --query")
        }
        return (Array(ids), Array(words[ids.count...]))
    }
}
