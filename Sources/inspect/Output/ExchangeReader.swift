import Store
import Traffic

/// Reads whole exchanges from a store, one by one.
struct ExchangeReader {
    /// Rows asked for at a time while numbers are gathered.
    private static let pageRows = 1000

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
    func find(_ id: ExchangeID) throws -> ExchangeRecord? {
        guard let exchange = try store.exchange(id) else { return nil }
        return ExchangeRecord(exchange: exchange, summary: try store.summaries(of: [id]).first)
    }

    /// The numbers of what a filter selects now, oldest first; eight bytes each, so that a capture of millions can be walked.
    func ids(_ filter: Filter) throws -> [ExchangeID] {
        var ids: [ExchangeID] = []
        try each(filter) { ids.append($0.id) }
        return ids.reversed()
    }

    /// Gives the line of each exchange that a filter selects now, newest first.
    func each(_ filter: Filter, _ give: (ExchangeSummary) throws -> Void) throws {
        var query = ListingQuery(filter: filter, limit: ExchangeReader.pageRows, countsFacets: false)
        repeat {
            let page = try store.list(query)
            for row in page.exchanges { try give(row) }
            query.after = page.next
        } while query.after != nil
    }
}
