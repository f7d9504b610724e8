import Foundation
import Store
import Traffic

/// The exchanges that are to be checked: by number, or as in every listing.
struct CheckSelection {
    let filter: Filter
    /// What is checked, in words.
    let title: String
    /// The numbers that were given by themselves; each has to be there.
    let ids: [ExchangeID]

    /// - Throws: `FilterError`, and `InputError` where a number that was given is of no exchange.
    init(_ options: FilterOptions, in store: TrafficStore) throws {
        var options = options
        let numbers = options.terms.flatMap { $0.split(separator: ",") }
        let areNumbers =
            !numbers.isEmpty
            && numbers.allSatisfy {
                $0.first?.isNumber == true && $0.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
            }
        if areNumbers { options.terms = ["id:" + numbers.joined(separator: ",")] }
        filter = try options.filter(now: Date(), in: store)
        ids = areNumbers ? numbers.compactMap { ExchangeID($0) } : []
        title = filter.isEmpty ? "all exchanges" : filter.sentence
        let found = Set(try store.summaries(of: ids).map(\.id))
        if let missing = ids.first(where: { !found.contains($0) }) {
            throw InputError("there is no exchange \(missing) in the store")
        }
    }
}
