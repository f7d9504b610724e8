import Archive
import Store
import Traffic

/// What `inspect filter` shows: the counted categories of a listing, a page of its rows, and what could not be recorded.
struct FilterReport: Report, RowReport {
    /// Gaps that are named under a listing: the newest.
    private static let shownGaps = 3

    let listing: Listing
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
        gaps = listing.isTruncated ? try store.gaps() : []
    }

    /// A listing that was read by other rules, without a sentence and without gaps.
    init(_ listing: Listing) {
        (self.listing, sentence, gaps) = (listing, nil, [])
    }

    /// Writes one object; see `ListingJSON`.
    func write(to json: inout JSONWriter) { ListingJSON.write(listing, to: &json) }

    func eachRow(_ give: ([UInt8]) throws -> Void) throws {
        for row in listing.exchanges { try give(ListingJSON.line(row)) }
    }

    func lines(in layout: Layout) -> [String] {
        let lines = ListingLines(layout: layout)
        var gaps = gaps.suffix(FilterReport.shownGaps).map(GapNotice.line)
        if self.gaps.count > gaps.count { gaps.append("and before that \(self.gaps.count - gaps.count) times more") }
        return lines.categories(listing) + lines.rows(listing) + lines.summary(listing, sentence: sentence) + gaps
    }
}
