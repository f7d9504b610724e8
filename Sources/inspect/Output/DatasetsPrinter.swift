import Lenses
import Traffic

/// Prints what captures show of the open-data portal, for people or for programs.
struct DatasetsPrinter {
    private let catalogue: DatasetCatalogue
    private let selection: DatasetSelection
    private let console: Console
    private let isJSON: Bool

    init(_ catalogue: DatasetCatalogue, selection: DatasetSelection, console: Console, isJSON: Bool) {
        self.catalogue = catalogue
        self.selection = selection
        self.console = console
        self.isJSON = isJSON
    }

    /// Prints a view.
    ///
    /// - Throws: `InputError` for a dataset that the captures do not show.
    func print(_ view: DatasetsView) throws {
        var json = JSONWriter(isIndented: console.isTerminal)
        var sections: [LensSection] = []
        var remarks: [String] = []
        switch view {
        case .listing(let favourites):
            var sightings = selection.datasets(of: catalogue)
            if !favourites.isEmpty {
                let titles = Set(try favourites.flatMap { try named($0).map(\.dataset.title) })
                sightings = sightings.filter { titles.contains($0.dataset.title) }
            }
            if isJSON {
                catalogue.write(sightings, to: &json)
            } else {
                sections = [catalogue.listing(sightings)]
                remarks = catalogue.collisions(sightings)
            }
        case .card(let name):
            let sightings = try named(name)
            if let only = sightings.first, sightings.count == 1 {
                catalogue.write(only, to: &json)
            } else {
                catalogue.write(sightings, to: &json)
            }
            sections = sightings.flatMap { catalogue.card($0) }
            remarks = sightings.count > 1 ? catalogue.collisions(sightings) : []
        case .facet(let facet):
            let sightings = selection.datasets(of: catalogue)
            catalogue.write(facet, of: sightings, to: &json)
            sections = [catalogue.facet(facet, of: sightings)]
        case .scroll:
            catalogue.writeScrolls(to: &json)
            sections = catalogue.scrollSections
            if sections.isEmpty { remarks = ["no page of a list is in the captures"] }
        case .map:
            catalogue.writeMaps(to: &json)
            sections = [catalogue.mapSection]
        case .notices:
            catalogue.writeNotices(to: &json)
            sections = [PublicNotice.section(catalogue.notices)]
        }
        if isJSON {
            json.newline()
            try console.write(json.take())
        } else {
            try write(sections, remarks)
        }
        try console.flush()
    }

    private func write(_ sections: [LensSection], _ remarks: [String]) throws {
        let printer = LensViewPrinter(console)
        for (index, section) in sections.enumerated() {
            if index > 0 { try console.line() }
            for line in printer.lines(section) { try console.line(line) }
        }
        if catalogue.exchanges == 0 {
            try console.line(
                "no exchange with the open-data portal is in the selection; record some, or import a HAR file"
            )
        }
        for remark in remarks { try console.line(console.style.paint(TerminalText.escaped(remark), .yellow)) }
    }

    /// The datasets of a name.
    private func named(_ name: String) throws -> [DatasetSighting] {
        let found = catalogue.datasets(named: name)
        guard found.isEmpty else { return found }
        let names = catalogue.datasets.flatMap { [$0.dataset.name, $0.dataset.title] }
        let guess = EditDistance.nearest(to: name, in: names).map { "; did you mean '\($0)'?" }
        throw InputError(
            "the captures show no dataset '\(name)'\(guess ?? "; 'inspect datasets' lists those they show")"
        )
    }
}
