package import Traffic

/// The JSON of a search: a listing whose exchanges say where the text stands.
package enum SearchJSON {
    /// Writes one exchange: its line's members, and `matches`.
    package static func write(_ row: ExchangeSummary, _ findings: [Finding], to json: inout JSONWriter) {
        json.object { json in
            ExchangeRow.members(row, to: &json)
            json.array("matches") { json in
                for finding in findings {
                    json.object { json in
                        json.string("where", finding.place.label)
                        json.string("before", finding.before)
                        json.string("match", finding.match)
                        json.string("after", finding.after)
                    }
                }
            }
        }
    }

    /// A page of a search as one JSON object on one line, which ends with a line feed; see `write`.
    package static func bytes(
        _ listing: Listing,
        _ findings: [ExchangeID: [Finding]],
        isCounted: Bool = true
    ) -> [UInt8] {
        var json = JSONWriter()
        write(listing, findings, isCounted: isCounted, to: &json)
        json.newline()
        return json.take()
    }

    /// Writes a page of a search as one JSON object.
    ///
    /// - Parameters:
    ///   - listing: the page.
    ///   - findings: where the text stands in its exchanges.
    ///   - isCounted: whether everything was counted; `total` and `matched` are null where only the page was searched.
    ///   - json: where to.
    package static func write(
        _ listing: Listing,
        _ findings: [ExchangeID: [Finding]],
        isCounted: Bool = true,
        to json: inout JSONWriter
    ) {
        json.object { json in
            if isCounted {
                json.integer("total", listing.total)
                json.integer("matched", listing.matched)
            } else {
                json.null("total")
                json.null("matched")
            }
            json.boolean("truncated", listing.isTruncated)
            json.integer("searchedInPart", listing.searchedInPart)
            json.string("next", listing.next.map { String($0) })
            json.array("exchanges") { json in
                for row in listing.exchanges { write(row, findings[row.id] ?? [], to: &json) }
            }
        }
    }

    /// One exchange as one line.
    package static func line(_ row: ExchangeSummary, _ findings: [Finding]) -> [UInt8] {
        var json = JSONWriter()
        write(row, findings, to: &json)
        json.newline()
        return json.take()
    }
}
