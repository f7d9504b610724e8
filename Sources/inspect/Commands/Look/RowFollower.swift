import Store
import Traffic

/// What is new in a store that another process writes: rows that a filter selects as they are recorded, and again as they end.
struct RowFollower {
    /// Rows read at a time.
    private static let pageRows = 1000
    /// Open exchanges that are followed to their end; of more than this at once, the oldest are left.
    private static let openLimit = 4096

    /// What one look has found.
    struct News {
        /// The rows, those that have ended first, else oldest first.
        var rows: [ExchangeSummary] = []
        /// Exchanges that have ended and are not selected any more.
        var lost: [ExchangeID] = []
        /// Whether more are there already.
        var isMore = false
    }

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
        position = try store.list(ListingQuery(limit: 1, countsFacets: false)).exchanges.first?.id ?? 0
        var pending = Filter()
        pending.select(.exactly(Outcome.pending.rawValue), in: .outcome)
        let query = ListingQuery(filter: pending, limit: RowFollower.openLimit, countsFacets: false)
        open = try store.list(query).exchanges.map(\.id).reversed()
    }

    /// The newest rows, oldest first; those that are newer come as news.
    ///
    /// - Throws: `StoreError`.
    mutating func newest(_ count: Int) throws -> [ExchangeSummary] {
        let rows = try store.list(ListingQuery(filter: filter, limit: count, countsFacets: false)).exchanges
        position = max(position, rows.first?.id ?? 0)
        return try selected(rows.reversed()).rows
    }

    /// Looks once.
    ///
    /// - Throws: `StoreError`.
    mutating func next() throws -> News {
        let ended = try store.summaries(of: open).filter { $0.outcome != .pending }
        open.removeAll { id in ended.contains { $0.id == id } }
        var news = try selected(ended)
        let fresh = try store.summaries(after: position, limit: RowFollower.pageRows).filter { $0.id > position }
        position = fresh.last?.id ?? position
        news.rows += try selected(fresh).rows
        news.isMore = fresh.count >= RowFollower.pageRows
        return news
    }

    /// Tells selected rows from others, and notes which are open.
    private mutating func selected(_ rows: [ExchangeSummary]) throws -> News {
        let selected = try store.selected(by: filter, of: rows)
        var news = News()
        for row in rows {
            if row.outcome == .pending, !open.contains(row.id) { open.append(row.id) }
            if selected.contains(row.id) { news.rows.append(row) } else { news.lost.append(row.id) }
        }
        open.removeFirst(max(0, open.count - RowFollower.openLimit))
        return news
    }
}
