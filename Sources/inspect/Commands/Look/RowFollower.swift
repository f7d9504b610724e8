import Store
import Traffic

/// What is new in a store that another process writes: rows that a filter selects as they are recorded, and again as they end.
struct RowFollower {
    /// Rows read at a time.
    private static let pageRows = 1000
    /// Open exchanges that are followed to their end; of more than this at once, the oldest are left.
    private static let openLimit = 4096

    private let store: TrafficStore
    private let filter: Filter
    private var position: ExchangeID
    private var open: [ExchangeID]

    /// Begins behind the newest row; the end of what is open now is news too.
    ///
    /// - Throws: `StoreError`.
    init(_ store: TrafficStore, filter: Filter) throws {
        self.store = store
        self.filter = filter
        position = try store.page(ListingQuery(limit: 1, countsFacets: false)).exchanges.first?.id ?? 0
        var pending = Filter()
        pending.select(.exactly(Outcome.pending.rawValue), in: .outcome)
        let query = ListingQuery(filter: pending, limit: RowFollower.openLimit, countsFacets: false)
        open = try store.page(query).exchanges.map(\.id).reversed()
    }

    /// The newest rows, oldest first; those that are newer come as news.
    ///
    /// - Throws: `StoreError`.
    mutating func newest(_ count: Int) throws -> [ExchangeSummary] {
        let rows = try store.page(ListingQuery(filter: filter, limit: count, countsFacets: false)).exchanges
        position = max(position, rows.first?.id ?? 0)
        return try selected(rows.reversed())
    }

    /// Looks once.
    ///
    /// - Returns: the rows, those that have ended first, else oldest first; and whether more are there already.
    /// - Throws: `StoreError`.
    mutating func next() throws -> (rows: [ExchangeSummary], isMore: Bool) {
        let ended = try store.summaries(of: open).filter { $0.outcome != .pending }
        open.removeAll { id in ended.contains { $0.id == id } }
        let fresh = try store.summaries(after: position, limit: RowFollower.pageRows).filter { $0.id > position }
        position = fresh.last?.id ?? position
        return (rows: try selected(ended) + selected(fresh), isMore: fresh.count >= RowFollower.pageRows)
    }

    /// The rows that are selected; notes which of all are open.
    private mutating func selected(_ rows: [ExchangeSummary]) throws -> [ExchangeSummary] {
        let selected = try store.selected(by: filter, of: rows)
        for row in rows where row.outcome == .pending && !open.contains(row.id) { open.append(row.id) }
        open.removeFirst(max(0, open.count - RowFollower.openLimit))
        return rows.filter { selected.contains($0.id) }
    }
}
