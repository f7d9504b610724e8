/// What of a catalogue is shown.
enum DatasetView: Sendable {
    /// The datasets that are wanted.
    case listing
    /// One dataset whole, by its name, id or title.
    case card(String)
    case facet(DatasetFacet)
    case scroll
    case map
    case notices

    /// What the options of the place ask for; without any it is the listing.
    ///
    /// - Throws: `PlaceProblem` for a facet that there is not, and for two things at once.
    init(_ options: PlaceOptions) throws(PlaceProblem) {
        var views: [DatasetView] = []
        if let dataset = options.value("dataset") { views.append(.card(dataset)) }
        if let facet = options.value("facet") { views.append(.facet(try DatasetView.facet(facet))) }
        if try options.flag("scroll") { views.append(.scroll) }
        if try options.flag("map") { views.append(.map) }
        if try options.flag("notices") { views.append(.notices) }
        guard views.count <= 1 else { throw .conflict(["dataset", "facet", "scroll", "map", "notices"]) }
        self = views.first ?? .listing
    }

    private static func facet(_ word: String) throws(PlaceProblem) -> DatasetFacet {
        if let facet = DatasetFacet(named: word) { return facet }
        let known = DatasetFacet.allCases.map(\.rawValue).joined(separator: ", ")
        throw .value(option: "facet", given: word, expectation: "expected one of \(known)")
    }
}
