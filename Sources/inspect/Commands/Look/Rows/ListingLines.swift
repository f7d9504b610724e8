import Traffic

/// The lines of a listing: its counted categories, its rows, and what there is to say of all that matches.
struct ListingLines {
    let layout: Layout

    /// A line or more for each category, and an empty one under them; nothing where none has values.
    func categories(_ listing: Listing) -> [String] {
        let lines = FacetTable(in: layout).lines(listing.facets)
        return lines.isEmpty ? [] : lines + [""]
    }

    /// Gives the line of the headings, then each row with its line, on a terminal below the line of its day; nothing where there are no rows.
    ///
    /// - Parameters:
    ///   - rows: the page.
    ///   - give: takes each line, with its row; `nil` for the headings and the days.
    /// - Throws: what `give` throws.
    func eachRow(_ rows: [ExchangeSummary], _ give: (String, ExchangeSummary?) throws -> Void) rethrows {
        guard !rows.isEmpty else { return }
        var table = ListingTable(in: layout)
        table.fit(rows)
        try give(table.heading, nil)
        for row in rows {
            if let day = table.day(of: row) { try give(day, nil) }
            try give(table.line(row), row)
        }
    }

    /// The numbers; where nothing matches, also what was looked for.
    ///
    /// - Parameters:
    ///   - listing: the page, with everything counted.
    ///   - sentence: what was looked for; `nil` where that is everything.
    /// - Returns: up to three sentences, each on a line or, on a narrow terminal, more.
    func summary(_ listing: Listing, sentence: String?) -> [String] {
        var text = "\(listing.matched) of \(listing.total.counted("exchange"))"
        if listing.exchanges.count < listing.matched { text += ", \(listing.exchanges.count) shown" }
        if let next = listing.next { text += "; older ones: --after \(next)" }
        if listing.isTruncated { text += "; some that passed could not be recorded" }
        var lines = LineBreaks.lines(text, in: layout).map { layout.style.paint($0, .dim) }
        if let part = listing.partSentence { lines += LineBreaks.lines(part, in: layout) }
        if let sentence, listing.matched == 0 {
            lines += LineBreaks.lines("Looked for \(VisibleText.line(sentence)).", in: layout)
        }
        return lines
    }
}
