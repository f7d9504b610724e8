import Archive
import Store
import Traffic

/// What `inspect filter` shows: the counted categories of a listing, a page of its rows, and what could not be recorded.
struct FilterReport: RowReport {
    /// Gaps that are named under a listing: the newest.
    private static let shownGaps = 3

    private(set) var listing: Listing
    /// What was looked for; `nil` where that is everything.
    let sentence: String?
    /// Where traffic passed unrecorded; the lines alone tell it.
    let gaps: [CaptureGap]

    /// Asks the store for a page of what a filter selects.
    ///
    /// - Throws: `StoreError`.
    init(_ query: ListingQuery, from store: TrafficStore) throws {
        let filter = query.filter
        listing = try Progress.counting { try store.list(query, progress: $0) }
        sentence = filter.isEmpty ? nil : filter.sentence
        gaps = listing.isTruncated ? try store.gaps().filter { $0.kind != .late } : []
    }

    /// A listing that was read by other rules, without a sentence and without gaps.
    init(_ listing: Listing) {
        (self.listing, sentence, gaps) = (listing, nil, [])
    }

    /// Puts the values of each category in another order.
    mutating func order(valuesBy order: FacetOrder) {
        for index in listing.facets.indices {
            let facet = listing.facets[index]
            listing.facets[index].values = facet.facet.ordered(facet.values, by: order)
        }
    }

    /// Writes one object; see `ListingJSON`.
    func write(to json: inout JSONWriter, handOn: (inout JSONWriter) throws -> Void) throws {
        ListingJSON.write(listing, to: &json)
    }

    func eachRow(_ give: ([UInt8]) throws -> Void) throws {
        for row in listing.exchanges { try give(ListingJSON.line(row)) }
    }

    func print(to console: Console) throws {
        let lines = ListingLines(layout: console.layout)
        for line in lines.categories(listing) { try console.line(line) }
        try lines.eachRow(listing.exchanges) { line, _ in try console.line(line) }
        for line in lines.summary(listing, sentence: sentence) { try console.line(line) }
        let shown = gaps.suffix(FilterReport.shownGaps)
        for gap in shown { try console.line(GapNotice.line(gap)) }
        if gaps.count > shown.count { try console.line("and before that \(gaps.count - shown.count) times more") }
    }
}
