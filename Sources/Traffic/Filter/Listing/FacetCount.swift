/// One value of a facet with its count under the query and the other facets' selections.
package struct FacetCount: Hashable, Sendable, Codable {
    package var value: String
    package var count: Int
    package var selected: Bool

    package init(value: String, count: Int, selected: Bool) {
        self.value = value
        self.count = count
        self.selected = selected
    }
}
