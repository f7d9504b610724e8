/// A facility, and the answer that it is from.
struct FoundFacility: Sendable {
    let facility: Facility
    let source: CampusSource

    init(_ facility: Facility, of source: CampusSource) { (self.facility, self.source) = (facility, source) }
}
