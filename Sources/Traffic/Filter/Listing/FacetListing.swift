/// A facet with its values.
package struct FacetListing: Hashable, Sendable {
    package var facet: Facet
    /// Codes sorted as numbers, the rest by falling count, then by name.
    package var values: [FacetCount]

    package init(facet: Facet, values: [FacetCount]) {
        self.facet = facet
        self.values = values
    }
}
