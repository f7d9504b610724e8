/// A facet with its values.
package struct FacetListing: Hashable, Sendable {
    package var facet: Facet
    /// In the order of `FacetOrder.name`, unless another was asked for.
    package var values: [FacetCount]

    package init(facet: Facet, values: [FacetCount]) {
        self.facet = facet
        self.values = values
    }
}
