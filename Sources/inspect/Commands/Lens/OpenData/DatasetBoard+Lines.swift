import Lenses
import Traffic

extension DatasetBoard {
    /// The lines to print: each part under its heading, then what is to be said of it.
    func lines(_ console: Console) -> [String] {
        let printer = LensViewPrinter(console)
        var lines = Array(sections.map { printer.lines($0) }.joined(separator: [""]))
        if catalogue.exchanges == 0 {
            lines.append(
                "no exchange with the open-data portal is in the selection; record some, or import a HAR file"
            )
        }
        return lines + remarks.map { console.style.paint(VisibleText.line($0), .yellow) }
    }

    private var sections: [LensSection] {
        switch content {
        case .listing(let sightings): [catalogue.listing(sightings)]
        case .card(let sightings): sightings.flatMap { catalogue.card($0) }
        case .facet(let facet, let sightings): [catalogue.facet(facet, of: sightings)]
        case .scrolls: catalogue.scrollSections
        case .maps: [catalogue.mapSection]
        case .notices: [PublicNotice.section(catalogue.notices)]
        }
    }

    private var remarks: [String] {
        let bound =
            catalogue.isWhole ? [] : ["Only the newest answers were read; a query such as since:7d narrows them."]
        switch content {
        case .listing(let sightings):
            return catalogue.collisions(sightings) + (wantsSaved ? catalogue.unseen : []) + bound
        case .card(let sightings): return (sightings.count > 1 ? catalogue.collisions(sightings) : []) + bound
        case .scrolls: return (catalogue.scrollSections.isEmpty ? ["no page of a list is in the captures"] : []) + bound
        case .facet, .maps, .notices: return bound
        }
    }
}
