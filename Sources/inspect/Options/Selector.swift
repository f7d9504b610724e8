import ArgumentParser
import Foundation
import Store
import Traffic

/// What a command is to take: exchanges by number, or what a query selects, narrowed by the filter flags.
///
/// Every command reads its selection here, so that the same words mean the same exchanges in each of them.
struct Selector {
    /// What was written.
    let text: SelectorText
    private let flags: FlaggedFilter?

    /// Reads arguments, as they came from the command line.
    ///
    /// - Throws: `ValidationError` for a number or a range that no exchange can have.
    init(_ arguments: [String], flags: FlaggedFilter? = nil) throws {
        do {
            text = try SelectorText(QueryArguments.query(arguments))
        } catch {
            throw ValidationError(error.description)
        }
        self.flags = flags
    }

    /// A query that nobody wrote.
    init(query: String, flags: FlaggedFilter? = nil) { (text, self.flags) = (.query(query), flags) }

    /// Whether everything is selected.
    var isEmpty: Bool { text.isEmpty && flags?.isEmpty ?? true }

    /// Refuses numbers beside other words, for commands that change or send what they select: such a number is text, and seldom meant so.
    ///
    /// - Throws: `ValidationError` with both ways to write it.
    func requireUnmixed() throws {
        guard let number = text.strayNumber else { return }
        throw ValidationError(
            "\(number) beside other words is text; write id:\(number) for the exchange, or '\"\(number)\"' for the text"
        )
    }

    /// Reads the query as far as that needs no store: every saved search counts as known.
    ///
    /// - Throws: `FilterError` saying what is wrong with it.
    func check(now: Date) throws {
        _ = try text.filter(now: Moment.microseconds(now), expanding: SavedSearch.blanked)
    }

    /// The filter that it means.
    ///
    /// - Parameters:
    ///   - store: where the exchanges and the saved searches are.
    ///   - now: what `since:10m` counts back from.
    ///   - mayCome: whether exchanges that are named by number may be recorded later.
    /// - Returns: the filter.
    /// - Throws: `FilterError` for a query or a flag that cannot be read, `InputError` for a number of no exchange.
    func filter(in store: TrafficStore, now: Date, mayCome: Bool = false) throws -> Filter {
        var filter = try flags?.filter(now: now) ?? Filter()
        filter.require(try store.filter(text, now: now))
        if !mayCome { try Selector.told { try store.requireExchanges(of: text) } }
        return filter
    }

    /// The exchanges, those of numbers in the order they were written.
    ///
    /// - Throws: as `filter` does.
    func ids(in store: TrafficStore, now: Date) throws -> [ExchangeID] {
        let ids = try Selector.told { try store.ids(of: text, now: now) }
        guard let flags, !flags.isEmpty else { return ids }
        let selected = Set(try store.ids(filter(in: store, now: now)))
        return ids.filter(selected.contains)
    }

    /// The query text that means the same, with what saved searches stand for in it.
    ///
    /// - Throws: as `filter` does.
    func queryText(in store: TrafficStore, now: Date) throws -> String {
        _ = try store.filter(text, now: now)
        let written = try store.expanded(text.queryText)
        guard let flags, !flags.isEmpty else { return written }
        let flagged = try flags.filter(now: now).text
        return text.isEmpty ? flagged : "\(flagged) (\(written))"
    }

    /// The query text that means the same, with what saved searches stand for in it, where there may be no store yet.
    ///
    /// - Throws: `FilterError` for a search that is not among them.
    func queryText(expanding searches: [SavedSearch]) throws -> String {
        try SavedSearch.expanded(text.queryText, from: searches)
    }

    /// The number of one exchange, as an option or an argument takes it.
    ///
    /// - Throws: `ValidationError` saying what was expected.
    static func one(_ argument: String) throws -> ExchangeID {
        guard let id = try Selector([argument]).text.single else {
            throw ValidationError("expected the number of one exchange, such as 7; 'inspect ls' lists the numbers")
        }
        return id
    }

    /// Says of exchanges that are not there how their numbers are searched for as text.
    private static func told<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as AbsentExchanges {
            throw InputError("\(error); '\"\(error.words)\"' searches for the text")
        }
    }
}
