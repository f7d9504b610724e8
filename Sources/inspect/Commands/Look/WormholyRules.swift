import Store
import Traffic

/// The rules of the Wormholy app's filter (its pull request 133), for comparisons with that app.
///
/// Three categories, codes, methods and schemes, are counted over every request that has a code, whatever is selected; values are sorted as text, and a
/// missing scheme is none. Nothing selected is every request. Else a category without a selection stands for all its counted values, so a request
/// without a code or a scheme is left out. The text is looked for in the URL.
struct WormholyRules {
    private static let categories: [Facet] = [.code, .method, .scheme]
    /// A request that was answered: one without an answer has the code 0 in the app.
    private static let isAnswered = FilterTest.facet(.code, [.codes(1...999)])
    private static let hasNoScheme = FilterTest.facet(.scheme, [.exactly(Facet.none)])

    /// Selected values of the categories; what else the filter selects narrows the whole listing.
    let selections: Filter
    /// Text of the URL.
    let text: String

    /// Reads a page by these rules.
    ///
    /// - Throws: `StoreError`.
    func listing(from store: TrafficStore, page: PageOptions) throws -> Listing {
        var filter = selections
        if !text.isEmpty { filter.require(.test(.line(.url, [TextPattern(containing: text)]))) }
        if isSelecting {
            filter.require(.test(Self.isAnswered))
            filter.require(.negation(.test(Self.hasNoScheme)))
        }
        var listing = try store.list(page.query(filter, countsFacets: false))
        listing.facets = try counts(in: store)
        return listing
    }

    private var isSelecting: Bool {
        Self.categories.contains { selections.selections[$0.name]?.isEmpty == false }
    }

    /// The categories with the values that count.
    private func counts(in store: TrafficStore) throws -> [FacetListing] {
        let facets = try store.list(ListingQuery(filter: Filter(.test(Self.isAnswered)), limit: 0)).facets
        return Self.categories.map { category in
            let values = facets.first { $0.facet == category }?.values ?? []
            // The codes are counted beside their own selection, so pending and failed are among them.
            let counted = values.filter { value in
                value.count > 0 && (category == .code ? (Int(value.value) ?? 0) > 0 : value.value != Facet.none)
            }
            let marked = counted.map { value in
                FacetCount(
                    value: value.value,
                    count: value.count,
                    selected: selections.selects(value.value, in: category)
                )
            }
            return FacetListing(facet: category, values: marked.sorted { $0.value < $1.value })
        }
    }
}
