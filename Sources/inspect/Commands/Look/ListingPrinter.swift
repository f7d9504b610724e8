import Archive
import Store
import Traffic

/// Prints one page of a listing in the form the user asked for.
struct ListingPrinter {
    /// Gaps that are said under a listing, the newest.
    private static let shownGaps = 3

    let console: Console
    let page: PageOptions

    /// Asks the store and prints.
    ///
    /// - Parameters:
    ///   - filter: what to select.
    ///   - store: what to ask.
    ///   - showsFacets: whether the counted categories come before the rows.
    /// - Throws: `StoreError`, `OutputClosed`.
    func print(_ filter: Filter, from store: TrafficStore, showsFacets: Bool) throws {
        var query = page.query(filter, countsFacets: page.json || showsFacets && !page.jsonl)
        guard showsFacets || page.json else {
            // Rows need nothing counted; people are told the numbers after them.
            let rows = try store.page(query)
            try print(rows, showsFacets: false, isCounted: false)
            guard console.isTerminal, !page.jsonl else { return }
            query.limit = 0
            var counted = try Progress.counting { try store.list(query, progress: $0) }
            (counted.exchanges, counted.next) = (rows.exchanges, rows.next)
            try tell(counted, sentence: filter.isEmpty ? nil : filter.sentence)
            return try console.flush()
        }
        let listing = try Progress.counting { try store.list(query, progress: $0) }
        try print(listing, showsFacets: showsFacets, sentence: filter.isEmpty ? nil : filter.sentence)
        guard listing.isTruncated, !page.json, !page.jsonl, showsFacets || console.isTerminal else { return }
        let gaps = try store.gaps()
        for gap in gaps.suffix(ListingPrinter.shownGaps) { try console.line(GapNotice.line(gap)) }
        if gaps.count > ListingPrinter.shownGaps {
            try console.line("and before that \(gaps.count - ListingPrinter.shownGaps) times more")
        }
        try console.flush()
    }

    /// Prints a listing; where nothing matches, people are told in words what was looked for.
    ///
    /// - Parameters:
    ///   - listing: the page.
    ///   - showsFacets: whether the counted categories come before the rows.
    ///   - sentence: what was looked for.
    ///   - isCounted: whether everything was counted; otherwise nothing is said of numbers.
    /// - Throws: `OutputClosed`.
    func print(_ listing: Listing, showsFacets: Bool, sentence: String? = nil, isCounted: Bool = true) throws {
        if page.json {
            try console.write(ListingJSON.bytes(listing, isIndented: console.isTerminal))
        } else if page.jsonl {
            for row in listing.exchanges { try console.write(ListingJSON.line(row)) }
        } else {
            try table(listing, showsFacets: showsFacets)
            if isCounted, showsFacets || console.isTerminal { try tell(listing, sentence: sentence) }
        }
        try console.flush()
    }

    private func table(_ listing: Listing, showsFacets: Bool) throws {
        if showsFacets {
            let lines = FacetTable(console).lines(listing.facets)
            for line in lines { try console.line(line) }
            if !lines.isEmpty { try console.line() }
        }
        if !listing.exchanges.isEmpty {
            var table = ListingTable(console)
            table.fit(listing.exchanges)
            try console.line(table.heading)
            for row in listing.exchanges { try console.line(table.line(row)) }
        }
    }

    private func tell(_ listing: Listing, sentence: String?) throws {
        try console.line(summary(listing))
        if let part = listing.partSentence { try console.line(part) }
        if let sentence, listing.matched == 0 { try console.line("Looked for \(VisibleText.line(sentence)).") }
    }

    private func summary(_ listing: Listing) -> String {
        var text = "\(listing.matched) of \(listing.total.counted("exchange"))"
        if listing.exchanges.count < listing.matched { text += ", \(listing.exchanges.count) shown" }
        if let next = listing.next { text += "; older ones: --after \(next)" }
        if listing.isTruncated { text += "; some that passed could not be recorded" }
        return console.style.paint(text, .dim)
    }
}
