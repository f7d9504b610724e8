import Lenses

/// What `inspect datasets` shows.
enum DatasetsView {
    /// The datasets that are wanted; with names, what the app shows for favourites of their titles.
    case listing(favourites: [String])
    /// One dataset whole.
    case card(String)
    case facet(DatasetFacet)
    case scroll
    case map
    case notices
}
