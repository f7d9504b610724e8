/// One page of a listing, newest first, with the counts that belong to its filter.
package struct Listing: Hashable, Sendable {
    /// Every exchange in the store.
    package var total: Int
    /// Those that the filter selects.
    package var matched: Int
    /// Whether something is known to be missing from the counts.
    package var isTruncated: Bool
    /// Exchanges that are not selected and have a body with more text than is looked at (`BodyText.limitBytes`), or which was not kept whole, so that
    /// its lens cannot judge it.
    package var searchedInPart: Int
    /// Where the next page continues (`ListingQuery.after`, or `newer` where that was asked, or `skip` of a ranked page); `nil` at the end.
    package var next: ExchangeID?
    /// The counted values of each facet, in `Facet.all`'s order; empty when they were not asked for.
    package var facets: [FacetListing]
    /// The page.
    package var exchanges: [ExchangeSummary]

    package init(
        total: Int,
        matched: Int,
        isTruncated: Bool = false,
        searchedInPart: Int = 0,
        next: ExchangeID?,
        facets: [FacetListing],
        exchanges: [ExchangeSummary]
    ) {
        self.total = total
        self.matched = matched
        self.isTruncated = isTruncated
        self.searchedInPart = searchedInPart
        self.next = next
        self.facets = facets
        self.exchanges = exchanges
    }
}

extension Listing {
    /// A sentence about bodies that were not searched whole; `nil` where there was none.
    package var partSentence: String? { Listing.partSentence(searchedInPart) }

    /// The sentence for so many exchanges.
    package static func partSentence(_ count: Int) -> String? {
        guard count > 0 else { return nil }
        let (who, whose) = count == 1 ? ("One exchange was", "of it") : ("\(count) exchanges were", "of each")
        let limit = "\(BodyText.limitBytes >> 20) MiB"
        return "\(who) searched in part only: a body \(whose) has more than \(limit) of text, or is not whole."
    }
}
