import Archive
import Store
import Traffic

/// Prints a page of a search: each row, and under it where the text stands.
struct SearchPrinter {
    let console: Console
    let page: PageOptions

    /// Prints in the form the user asked for; of a table the page at once, and what is counted after it.
    ///
    /// - Parameters:
    ///   - filter: what to look for.
    ///   - store: where.
    /// - Throws: `StoreError`, `OutputClosed`.
    func print(_ filter: Filter, from store: TrafficStore) throws {
        var query = page.query(filter, countsFacets: false)
        if page.json {
            let listing = try store.list(query)
            let findings = try store.findings(of: filter, in: listing.exchanges)
            try console.write(SearchJSON.bytes(listing, findings, isIndented: console.isTerminal))
            return try console.flush()
        }
        let rows = try store.page(query)
        let findings = try store.findings(of: filter, in: rows.exchanges)
        if page.jsonl {
            for row in rows.exchanges { try console.write(SearchJSON.line(row, findings[row.id] ?? [])) }
            return try console.flush()
        }
        try table(rows, findings)
        try console.flush()
        query.limit = 0
        try summary(try Progress.counting { try store.list(query, progress: $0) }, shown: rows)
        try console.flush()
    }

    private func table(_ listing: Listing, _ findings: [ExchangeID: [Finding]]) throws {
        var table = ListingTable(console)
        table.fit(listing.exchanges)
        if !listing.exchanges.isEmpty { try console.line(table.heading) }
        for row in listing.exchanges {
            try console.line(table.line(row))
            for finding in findings[row.id] ?? [] { try console.line("      " + line(finding)) }
        }
    }

    private func summary(_ counted: Listing, shown: Listing) throws {
        var text = "\(counted.matched) of \(counted.total.counted("exchange"))"
        if let next = shown.next { text += ", \(shown.exchanges.count) shown; older ones: --after \(next)" }
        try console.line(console.style.paint(text, .dim))
        if let sentence = counted.partSentence { try console.line(sentence) }
    }

    private func line(_ finding: Finding) -> String {
        console.style.paint("\(finding.place.label): ", .dim) + VisibleText.line(finding.before)
            + console.style.paint(VisibleText.line(finding.match), .bold) + VisibleText.line(finding.after)
    }
}
