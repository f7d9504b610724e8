/// What to list: a filter and which page of its result.
package struct ListingQuery: Hashable, Sendable {
    /// What to select.
    package var filter: Filter
    /// Rows of a page, at least 0.
    package var limit: Int
    /// Continue after this exchange, towards older ones; `nil` starts at the newest.
    package var after: ExchangeID?
    /// Continue before this exchange, towards newer ones: the rows next above it, still newest first; not together with `after`.
    package var newer: ExchangeID?
    /// The ranking of the page; `nil` for the order of recording, newest first.
    ///
    /// A ranked page begins at the rank `skip`, and `after` leaves out what is not older.
    package var order: ListingOrder?
    /// Exchanges that stand before a ranked page.
    package var skip = 0
    /// Whether to count the facets, which costs a pass over the columns.
    package var countsFacets: Bool

    package init(
        filter: Filter = Filter(),
        limit: Int = 100,
        after: ExchangeID? = nil,
        newer: ExchangeID? = nil,
        countsFacets: Bool = true
    ) {
        self.filter = filter
        self.limit = limit
        self.after = after
        self.newer = newer
        self.countsFacets = countsFacets
    }
}
