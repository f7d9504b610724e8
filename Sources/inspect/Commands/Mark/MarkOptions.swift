import ArgumentParser
import Foundation
import Store
import Traffic

/// Which exchanges are to be marked: by number, by a query, or by the filter flags.
struct MarkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Mark all exchanges that this selects, in place of numbers.", valueName: "selector")
    )
    var query: String?

    @Flag(help: "Remove the mark in place of setting it.")
    var remove = false

    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var method: MethodFlag
    @OptionGroup(title: "Filter") var flags: FilterFlags

    private var flagged: FlaggedFilter { FlaggedFilter(flags: flags, method: method) }

    /// The error for a command that names no exchanges.
    static var unnamed: ValidationError {
        ValidationError("name the exchanges by their numbers (7 or 10..20), by a query or by a filter flag")
    }

    /// Marks the exchanges and says how many.
    ///
    /// - Parameters:
    ///   - selector: which.
    ///   - change: what is to be said of them.
    ///   - what: the sentence about `n` exchanges, without the full stop.
    /// - Throws: `InputError` for a number of no exchange, `FilterError` for a query that cannot be read.
    func apply(to selector: Selector, _ change: MarkChange, saying what: (String) -> String) async throws {
        let reading = try store.openForReading()
        let filter = try selector.filter(in: reading, now: Date())
        try reading.close()
        let count = try await StoreEditor(store).mark(filter, change)
        let console = Console()
        try console.line(what(count.counted("exchange")) + ".")
        try console.flush()
    }

    /// Splits what was given into numbers of exchanges and what follows; a word with a comma or a blank is none of the numbers.
    ///
    /// - Throws: `ValidationError` when there are neither numbers nor a query nor flags, or numbers beside one of these: they might be text.
    func split(_ words: [String]) throws -> (numbers: [String], rest: [String]) {
        let words = words.map(QueryArguments.written)
        let numbers = words.prefix { word in
            !word.contains { $0.isWhitespace || $0 == "," } && SelectorText.isNumbers(word)
        }
        if query != nil {
            guard numbers.isEmpty || numbers.count == words.count else {
                throw ValidationError("give numbers of exchanges or --query, not both")
            }
            return ([], words)
        }
        guard !numbers.isEmpty || !flagged.isEmpty else {
            throw MarkOptions.unnamed
        }
        if let number = numbers.first, !flagged.isEmpty {
            throw ValidationError(
                "\(number) beside filter flags may be an exchange or text; put into --query which exchanges are meant, and a text into quotes"
            )
        }
        return (Array(numbers), Array(words[numbers.count...]))
    }

    /// What is to be marked.
    ///
    /// - Parameter terms: the numbers, or the query, that was given; none goes with `--query`, or with flags alone.
    /// - Returns: the selector.
    /// - Throws: `ValidationError` where nothing is selected or numbers stand beside other words, and for a number that no exchange can have.
    func selector(_ terms: [String]) throws -> Selector {
        let selector = try Selector(query.map { [$0] } ?? terms, flags: flagged)
        guard !selector.isEmpty else { throw MarkOptions.unnamed }
        try selector.requireUnmixed()
        return selector
    }
}
