import Traffic

extension Facility {
    /// Writes the members that a facility has in every place.
    ///
    /// - Parameters:
    ///   - status: the facility's status.
    ///   - clock: the clock that moments are written by.
    ///   - json: an open object.
    func write(_ status: FacilityStatus, _ clock: CampusClock, to json: inout JSONWriter) {
        json.string("slug", slug)
        json.string("name", name)
        json.boolean("openNow", status.isOpen)
        json.boolean("openToday", status.isOpenToday)
        json.string("closes", status.closes.map(clock.timestamp))
        json.string("opensNext", status.opensNext.map(clock.timestamp))
        json.string("schedule", status.schedule?.name)
        json.string("campus", location?.region)
        json.string("category", category?.name)
        json.string("location", location?.title)
        json.string("building", location?.building)
        json.string("address", location?.address)
        json.strings("tags", tags)
        json.strings("warnings", warnings.map(\.text))
    }
}
