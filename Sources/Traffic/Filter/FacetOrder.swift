/// The order in which the values of a category are shown.
package enum FacetOrder: String, CaseIterable, Sendable {
    /// By name, codes as numbers: a value keeps its place while it counts more.
    case name
    /// The most frequent first, equally frequent ones by name.
    case count
}
