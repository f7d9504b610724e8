package import Traffic

/// The JSON of a listing, a contract with scripts and the page: the keys, their order and their types stay.
///
/// `write` and `line` write it, in the contract's order and with every null; a value of this type is what a reader gets.
package struct ListingJSON: Hashable, Sendable, Decodable {
    package var total: Int
    package var matched: Int
    package var truncated: Bool
    /// Exchanges with a body that has more text than is searched; left out where there is none.
    package var searchedInPart: Int?
    package var next: String?
    package var facets: [String: [FacetCount]]
    package var exchanges: [ExchangeRow]

    /// A listing as one JSON object on one line, which ends with a line feed.
    package static func bytes(_ listing: Listing) -> [UInt8] {
        var json = JSONWriter()
        write(listing, to: &json)
        json.newline()
        return json.take()
    }

    /// Writes a listing as one JSON object.
    package static func write(_ listing: Listing, to json: inout JSONWriter) {
        json.object { json in
            json.integer("total", listing.total)
            json.integer("matched", listing.matched)
            json.boolean("truncated", listing.isTruncated)
            if listing.searchedInPart > 0 { json.integer("searchedInPart", listing.searchedInPart) }
            json.string("next", listing.next.map { String($0) })
            json.object("facets") { json in
                for facet in listing.facets {
                    json.array(facet.facet.name) { json in
                        for value in facet.values { write(value, to: &json) }
                    }
                }
            }
            json.array("exchanges") { json in
                for row in listing.exchanges { ExchangeRow.write(row, to: &json) }
            }
        }
    }

    /// One exchange as one line.
    package static func line(_ row: ExchangeSummary) -> [UInt8] {
        var json = JSONWriter()
        ExchangeRow.write(row, to: &json)
        json.newline()
        return json.take()
    }

    private static func write(_ value: FacetCount, to json: inout JSONWriter) {
        json.object { json in
            json.string("value", value.value)
            json.integer("count", value.count)
            json.boolean("selected", value.selected)
        }
    }
}
