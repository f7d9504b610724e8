/// The JSON of a listing, a contract with scripts and the page: the keys, their order and their types stay.
package struct ListingJSON: Hashable, Sendable, Codable {
    package var total: Int
    package var matched: Int
    package var truncated: Bool
    package var next: String?
    package var facets: [String: [FacetCount]]
    package var exchanges: [ExchangeRow]

    package init(_ listing: Listing) {
        total = listing.total
        matched = listing.matched
        truncated = listing.isTruncated
        next = listing.next.map { String($0) }
        facets = Dictionary(listing.facets.map { ($0.facet.name, $0.values) }) { first, _ in first }
        exchanges = listing.exchanges.map(ExchangeRow.init)
    }

    /// A listing as one JSON object.
    package static func bytes(_ listing: Listing, isIndented: Bool = false) -> [UInt8] {
        var json = JSONWriter(isIndented: isIndented)
        json.object { json in
            json.integer("total", listing.total)
            json.integer("matched", listing.matched)
            json.boolean("truncated", listing.isTruncated)
            json.string("next", listing.next.map { String($0) })
            json.object("facets") { json in
                for facet in listing.facets {
                    json.array(facet.facet.name) { json in
                        for value in facet.values { write(value, to: &json) }
                    }
                }
            }
            json.array("exchanges") { json in
                for row in listing.exchanges { json.object { ExchangeRow.members(row, to: &$0) } }
            }
        }
        json.newline()
        return json.take()
    }

    /// One exchange as one line.
    package static func line(_ row: ExchangeSummary) -> [UInt8] {
        var json = JSONWriter()
        json.object { ExchangeRow.members(row, to: &$0) }
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
