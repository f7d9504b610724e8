import Store
import Traffic

/// Reads whole exchanges from a store, one by one.
struct ExchangeReader {
    private let store: TrafficStore

    init(_ store: TrafficStore) { self.store = store }

    /// One exchange with its line.
    ///
    /// - Throws: `InputError` when there is none of this number.
    func record(_ id: ExchangeID) throws -> ExchangeRecord {
        guard let record = try find(id) else { throw InputError("there is no exchange \(id) in the store") }
        return record
    }

    /// One exchange with its line; `nil` when it is not there (any more).
    func find(_ id: ExchangeID) throws -> ExchangeRecord? { try store.record(id) }

    /// Gives the line of each exchange that a filter selects now, oldest first; returns how many others were searched in part only.
    @discardableResult
    func each(_ filter: Filter, _ give: (ExchangeSummary) throws -> Void) throws -> Int {
        try store.eachSummary(filter, give)
    }
}
