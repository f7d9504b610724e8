package import Traffic

/// The wanted part of what captures show of the open-data portal.
package struct DatasetBoard: PlaceBoard {
    /// The part of the catalogue that is shown.
    package enum Content: Sendable {
        /// The datasets that are wanted, in order.
        case listing([DatasetSighting])
        /// The datasets that a name stands for, at least one.
        case card([DatasetSighting])
        /// How many of these datasets have each value of a facet.
        case facet(DatasetFacet, [DatasetSighting])
        case scrolls
        case maps
        case notices
    }

    package let catalogue: DatasetCatalogue
    package let content: Content
    /// Whether only saved datasets are wanted.
    package let wantsSaved: Bool

    init(_ catalogue: DatasetCatalogue, _ content: Content, wantsSaved: Bool) {
        (self.catalogue, self.content, self.wantsSaved) = (catalogue, content, wantsSaved)
    }

    package func write(to json: inout JSONWriter) {
        switch content {
        case .listing(let sightings): catalogue.write(sightings, to: &json)
        case .card(let sightings):
            if let only = sightings.first, sightings.count == 1 {
                catalogue.write(only, to: &json)
            } else {
                catalogue.write(sightings, to: &json)
            }
        case .facet(let facet, let sightings): catalogue.write(facet, of: sightings, to: &json)
        case .scrolls: catalogue.writeScrolls(to: &json)
        case .maps: catalogue.writeMaps(to: &json)
        case .notices: catalogue.writeNotices(to: &json)
        }
    }
}
