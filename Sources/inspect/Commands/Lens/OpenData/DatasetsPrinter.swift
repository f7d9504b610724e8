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
    /// - Throws: `InputError` for a dataset that the captures do not show, and for a value that none of theirs has.
    func print(_ view: DatasetsView) throws {
        var json = JSONWriter(isIndented: console.isTerminal)
        var sections: [LensSection] = []
        var remarks: [String] = []
        switch view {
        case .listing:
            let sightings = try wanted()
            catalogue.write(sightings, to: &json)
            sections = [catalogue.listing(sightings)]
            remarks = catalogue.collisions(sightings) + (selection.wantsSaved ? catalogue.unseen : [])
        case .card(let name):
            let sightings = try catalogue.sightings(named: name)
            if let only = sightings.first, sightings.count == 1 {
                catalogue.write(only, to: &json)
            } else {
                catalogue.write(sightings, to: &json)
            }
            sections = sightings.flatMap { catalogue.card($0) }
            remarks = sightings.count > 1 ? catalogue.collisions(sightings) : []
        case .facet(let facet):
            let sightings = try wanted()
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
        for remark in remarks { try console.line(console.style.paint(VisibleText.line(remark), .yellow)) }
    }

    private func wanted() throws -> [DatasetSighting] {
        if let unknown = selection.unknownValue(in: catalogue) { throw InputError(unknown) }
        return selection.datasets(of: catalogue)
    }
}
