/// All of What's Open's data at one moment.
struct Catalogue: Sendable, Equatable {
    var places: [Place] = []
    var kinds: [FacilityKind] = []
    /// In order of insertion.
    var schedules: [Schedule] = []
    var facilities: [Facility] = []
    var alerts: [Alert] = []

    /// Every facility with what it refers to, by name; special schedules by name too, so the first in force by name wins.
    var listedFacilities: [ListedFacility] {
        let schedulesByID = Dictionary(schedules.map { ($0.id, $0) }) { first, _ in first }
        return facilities.sorted { ($0.name, $0.slug) < ($1.name, $1.slug) }.compactMap { facility in
            guard let place = places.first(where: { $0.id == facility.placeID }),
                let kind = kinds.first(where: { $0.id == facility.kindID })
            else { return nil }
            return ListedFacility(
                facility: facility,
                place: place,
                kind: kind,
                main: facility.mainScheduleID.flatMap { schedulesByID[$0] },
                specials: facility.specialScheduleIDs.compactMap { schedulesByID[$0] }
                    .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
            )
        }
    }
}
