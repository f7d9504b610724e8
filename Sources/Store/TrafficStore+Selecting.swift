package import Foundation
package import Traffic

extension TrafficStore {
    /// A query text in which each saved search is replaced by its own query.
    ///
    /// - Throws: `FilterError` when one is not saved, or is another store's and asks for numbers; what the store of the saved searches says, where the
    ///   query names one.
    package func expanded(_ query: String) throws -> String {
        guard try SavedSearch.blanked(query) != query else { return query }
        guard let searches else { return try SavedSearch.expanded(query, from: savedSearches()) }
        let saved = try searches()
        let meant = saved.filter { search in
            let filter = try? FilterParser.parse(search.query, now: 0)
            return filter?.conditions.contains(where: \.asksForNumbers) != true
        }
        do {
            return try SavedSearch.expanded(query, from: meant)
        } catch let error {
            guard let name = error.missingSearch?.lowercased(), saved.contains(where: { $0.name == name }) else {
                throw error
            }
            throw FilterError("the saved search @\(name) asks for numbers of the store; an archive has its own")
        }
    }

    /// The filter that a selector means here.
    ///
    /// - Parameters:
    ///   - selector: what was written.
    ///   - now: what `since:10m` counts back from.
    /// - Returns: the filter; exchanges that are named by number need not be there.
    /// - Throws: `FilterError` for a query that cannot be read, or a search that is not saved.
    package func filter(_ selector: SelectorText, now: Date) throws -> Filter {
        try selector.filter(now: Moment.microseconds(now), expanding: expanded)
    }

    /// The exchanges that a selector means: numbers in the order they were written, exchanges of a query oldest first.
    ///
    /// - Parameters:
    ///   - selector: what was written.
    ///   - now: what `since:10m` counts back from.
    /// - Returns: their numbers; an exchange that is named twice is there twice.
    /// - Throws: `FilterError` as `filter` does, `AbsentExchanges` where a number is of no exchange.
    package func ids(of selector: SelectorText, now: Date) throws -> [ExchangeID] {
        guard case .numbers(let ranges) = selector else { return try ids(filter(selector, now: now)) }
        try requireExchanges(of: selector)
        return try ranges.flatMap { range in
            let isAlone = range.lowerBound == range.upperBound
            return try isAlone ? [range.lowerBound] : ids(Filter(.test(.number(.id, [range]))))
        }
    }

    /// Sees that each number is of an exchange, and each range has some.
    ///
    /// - Throws: `AbsentExchanges` naming the first of which there is none.
    package func requireExchanges(of selector: SelectorText) throws {
        guard case .numbers(let ranges) = selector else { return }
        for range in ranges {
            let next = try summaries(after: range.lowerBound - 1, limit: 1).first
            guard let next, range.contains(next.id) else { throw AbsentExchanges(range: range) }
        }
    }
}
