import Traffic

/// Prints a page of a search: each row, and under it where the text stands.
struct SearchPrinter {
    let console: Console
    let page: PageOptions

    /// Prints in the form the user asked for.
    func print(_ listing: Listing, _ findings: [ExchangeID: [Finding]]) throws {
        if page.json {
            try console.write(SearchJSON.bytes(listing, findings, isIndented: console.isTerminal))
        } else if page.jsonl {
            for row in listing.exchanges { try console.write(SearchJSON.line(row, findings[row.id] ?? [])) }
        } else {
            try table(listing, findings)
        }
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
        var text = "\(listing.matched) of \(listing.total) exchange\(listing.total == 1 ? "" : "s")"
        if let next = listing.next { text += ", \(listing.exchanges.count) shown; older ones: --after \(next)" }
        try console.line(console.style.paint(text, .dim))
    }

    private func line(_ finding: Finding) -> String {
        console.style.paint("\(finding.place.label): ", .dim) + TerminalText.escaped(finding.before)
            + console.style.paint(TerminalText.escaped(finding.match), .bold) + TerminalText.escaped(finding.after)
    }
}
