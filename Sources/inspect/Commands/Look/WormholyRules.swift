import Store
import Traffic

/// The rules of the Wormholy app's filter (its pull request 133), for comparisons with that app.
///
/// Two categories, codes and methods, counted over everything that was recorded whatever is selected; values sorted as text; OR within a category, AND
/// across them and with the text, which is looked for in the URL. What has no code is no value, and is hidden once anything is selected.
struct WormholyRules {
    /// Selected values of codes and methods; what else the filter selects narrows the whole listing.
    let selections: Filter
    /// Text of the URL.
    let text: String

    /// Reads a page by these rules.
    func listing(from store: TrafficStore, page: PageOptions) throws -> Listing {
        var filter = selections
        if !text.isEmpty { filter.require(.test(.line(.url, [TextPattern(containing: text)]))) }
        let isSelecting = selections.selections.values.contains { !$0.isEmpty }
        if isSelecting { filter.require(.anyOf([.test(.facet(.code, [.codes(0...999)]))])) }
        var listing = try store.list(page.query(filter, countsFacets: false))
        let everything = try store.list(ListingQuery(limit: 0)).facets
        listing.facets = everything.filter { $0.facet == .code || $0.facet == .method }.map { category in
            let values = category.values.filter { category.facet != .code || Int($0.value) != nil }.map { value in
                FacetCount(
                    value: value.value,
                    count: value.count,
                    selected: selections.selects(value.value, in: category.facet)
                )
            }
            return FacetListing(facet: category.facet, values: values.sorted { $0.value < $1.value })
        }
        return listing
    }
}
