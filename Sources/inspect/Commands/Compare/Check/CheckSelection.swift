import Foundation
import Store
import Traffic

/// The exchanges to check, as a filter and in words.
struct CheckSelection {
    let filter: Filter
    /// The selection in words.
    let title: String

    /// Takes what a filter selects.
    init(_ filter: Filter) {
        self.filter = filter
        title = filter.isEmpty ? "all exchanges" : filter.sentence
    }

    /// - Throws: `FilterError`, and `InputError` where a number that was given is of no exchange.
    init(_ options: FilterOptions, in store: TrafficStore, now: Date) throws {
        self.init(try options.filter(now: now, in: store))
    }
}
