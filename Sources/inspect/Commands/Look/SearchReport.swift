import Archive
import Store
import Traffic

/// What `inspect search` shows: a page of the matching rows, under each where the text stands in it, and how many match.
struct SearchReport: RowReport {
    /// What stands before the places of a text, which stand under their exchange.
    private static let indent = "      "

    let store: TrafficStore
    /// Selects the page, and counts no categories.
    let query: ListingQuery

    /// Writes one object with everything counted; see `SearchJSON`.
    func write(to json: inout JSONWriter, handOn: (inout JSONWriter) throws -> Void) throws {
        let listing = try store.list(query)
        SearchJSON.write(listing, try store.findings(of: query.filter, in: listing.exchanges), to: &json)
    }

    func eachRow(_ give: ([UInt8]) throws -> Void) throws {
        let rows = try store.page(query).exchanges
        let findings = try store.findings(of: query.filter, in: rows)
        for row in rows { try give(SearchJSON.line(row, findings[row.id] ?? [])) }
    }

    /// Writes the page at once, and what is counted after it.
    func print(to console: Console) throws {
        let rows = try store.page(query)
        let findings = try store.findings(of: query.filter, in: rows.exchanges)
        try ListingLines(layout: console.layout).eachRow(rows.exchanges) { line, row in
            try console.line(line)
            for finding in row.flatMap({ findings[$0.id] }) ?? [] {
                try console.line(self.line(finding, in: console.layout))
            }
        }
        try console.flush()
        var query = query
        query.limit = 0
        let counted = try Progress.counting { try store.list(query, progress: $0) }
        for line in summary(counted, shown: rows, in: console.layout) { try console.line(line) }
    }

    private func summary(_ counted: Listing, shown: Listing, in layout: Layout) -> [String] {
        var text = "\(counted.matched) of \(counted.total.counted("exchange"))"
        if let next = shown.next { text += ", \(shown.exchanges.count) shown; older ones: --after \(next)" }
        return LineBreaks.lines(text, in: layout).map { layout.style.paint($0, .dim) }
            + (counted.partSentence.map { LineBreaks.lines($0, in: layout) } ?? [])
    }

    /// Where a text stands, with what stands round it; on a terminal as much of that as there is room for on both sides.
    private func line(_ finding: Finding, in layout: Layout) -> String {
        let style = layout.style
        let place = "\(finding.place.label): "
        var (before, match, after) = (
            VisibleText.line(finding.before), VisibleText.line(finding.match), VisibleText.line(finding.after)
        )
        if let width = layout.width {
            let room = width - SearchReport.indent.count - TerminalCells.width(place)
            match = TextColumns.cut(match, to: room)
            let rest = room - TerminalCells.width(match)
            before = TextColumns.cutStart(before, to: max(rest / 2, rest - TerminalCells.width(after)))
            after = TextColumns.cut(after, to: rest - TerminalCells.width(before))
        }
        return SearchReport.indent + style.paint(place, .dim) + before + style.paint(match, .bold) + after
    }
}
