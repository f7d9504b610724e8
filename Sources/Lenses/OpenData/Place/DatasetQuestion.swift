package import Traffic

/// A question for captured datasets of the open-data portal.
package struct DatasetQuestion: Sendable {
    /// The options of the place.
    package static let options: Set<String> = [
        "label", "topic", "format", "division", "kind", "refresh", "issue", "search", "sort", "stale", "retired",
        "opened", "saved", "dataset", "facet", "scroll", "map", "notices", "from-capture",
    ]

    private let selection: DatasetSelection
    private let view: DatasetView
    private let source: CaptureSelection

    /// Reads the options of a question.
    ///
    /// - Parameters:
    ///   - options: the options of the place.
    ///   - filter: the exchanges to look at.
    /// - Throws: `PlaceProblem` for a question that makes no sense.
    package init(_ options: PlaceOptions, _ filter: Filter) throws(PlaceProblem) {
        selection = try DatasetSelection(options)
        view = try DatasetView(options)
        source = try options.source(filter)
    }

    /// Answers the question from captures.
    ///
    /// - Parameters:
    ///   - walk: the captures.
    ///   - saved: gives the titles of the saved datasets, which no capture tells; called once the catalogue is read.
    /// - Returns: the wanted part.
    /// - Throws: `PlaceProblem` where the captures show no such dataset, or none with a wanted value, and what the walk and `saved` throw.
    package func answer(
        _ walk: some CaptureWalk,
        saved: (DatasetCatalogue) throws -> Set<String>
    ) throws -> DatasetBoard {
        var catalogue = try DatasetCatalogue(in: walk, source)
        catalogue.saved = try saved(catalogue)
        return DatasetBoard(catalogue, try content(of: catalogue), wantsSaved: selection.wantsSaved)
    }

    private func content(of catalogue: DatasetCatalogue) throws(PlaceProblem) -> DatasetBoard.Content {
        switch view {
        case .listing: .listing(try wanted(of: catalogue))
        case .card(let name): .card(try catalogue.sightings(named: name))
        case .facet(let facet): .facet(facet, try wanted(of: catalogue))
        case .scroll: .scrolls
        case .map: .maps
        case .notices: .notices
        }
    }

    private func wanted(of catalogue: DatasetCatalogue) throws(PlaceProblem) -> [DatasetSighting] {
        if let unknown = selection.unknownValue(in: catalogue) { throw .unknown(unknown) }
        return selection.datasets(of: catalogue)
    }
}

extension DatasetSelection {
    /// Reads which datasets the options select, and in which order.
    ///
    /// - Throws: `PlaceProblem.value` for an unknown order.
    fileprivate init(_ options: PlaceOptions) throws(PlaceProblem) {
        self.init()
        for facet in DatasetFacet.allCases { values[facet] = options.values(facet.option) }
        words = options.values("search").flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        wantsStale = try options.flag("stale")
        wantsRetired = try options.flag("retired")
        wantsOpened = try options.flag("opened")
        wantsSaved = try options.flag("saved")
        guard let sort = options.value("sort") else { return }
        isDescending = sort.hasPrefix("-")
        guard let order = Order(rawValue: isDescending ? String(sort.dropFirst()) : sort) else {
            let known = Order.allCases.map(\.rawValue).joined(separator: ", ")
            throw .value(
                option: "sort",
                given: sort,
                expectation: "expected one of \(known), perhaps with - before it"
            )
        }
        self.order = order
    }
}
