import Lenses

/// What `inspect datasets` shows.
enum DatasetsView {
    /// The datasets that are wanted.
    case listing
    /// One dataset whole.
    case card(String)
    case facet(DatasetFacet)
    case scroll
    case map
    case notices
}
