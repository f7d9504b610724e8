import Foundation
import Store
import Traffic

/// What `inspect replay` was asked to send: exchanges by number, or a query.
struct ReplaySelection {
    /// The numbers, where all arguments are some.
    let ids: [ExchangeID]?
    private let query: String

    init(_ terms: [String]) {
        // A 0 is no text to look for either: all that has one would be sent.
        let numbers = terms.compactMap { ExchangeID($0) }
        ids = numbers.count == terms.count && numbers.allSatisfy { $0 >= 0 } ? numbers : nil
        query = QueryArguments.query(terms)
    }

    /// A plan that sends them once.
    ///
    /// - Throws: `FilterError` for a query that cannot be read, `InputError` for an exchange that is not there.
    func plan(in store: TrafficStore) throws -> ReplayPlan {
        var plan = ReplayPlan()
        if let ids {
            for id in ids { _ = try ExchangeReader(store).record(id) }
            plan.ids = ids
        } else {
            let text = try SavedSearch.expanded(query) { name in
                try store.savedSearches().first { $0.name == name }?.query
            }
            _ = try FilterParser.parse(text, now: Moment.microseconds(Date()))
            plan.q = text
        }
        return plan
    }
}
