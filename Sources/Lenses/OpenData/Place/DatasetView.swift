/// The part of a catalogue that a question asks for.
enum DatasetView: Sendable {
    /// The datasets that are wanted.
    case listing
    /// One dataset whole, by its name, id or title.
    case card(String)
    case facet(DatasetFacet)
    case scroll
    case map
    case notices

    /// Reads the part that the options ask for; the listing where they name none.
    ///
    /// - Throws: `PlaceProblem` for an unknown facet, and for two parts at once.
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
