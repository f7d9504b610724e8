extension DatasetBoard {
    /// The parts that are shown.
    package var sections: [LensSection] {
        switch content {
        case .listing(let sightings): [catalogue.listing(sightings)]
        case .card(let sightings): sightings.flatMap { catalogue.card($0) }
        case .facet(let facet, let sightings): [catalogue.facet(facet, of: sightings)]
        case .scrolls: catalogue.scrollSections
        case .maps: catalogue.mapSections
        case .notices: [PublicNotice.section(catalogue.notices)]
        }
    }

    /// The remarks on what is missing or doubtful, a sentence each.
    package var remarks: [String] {
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
