/// A facility with everything it refers to looked up, its special schedules in wire order.
struct ListedFacility: Sendable, Equatable {
    let facility: Facility
    let place: Place
    let kind: FacilityKind
    let main: Schedule?
    let specials: [Schedule]
}
