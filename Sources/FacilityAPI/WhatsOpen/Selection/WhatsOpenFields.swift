/// The fields each list can be filtered, searched and ordered by.
struct WhatsOpenFields: Sendable {
    let regions: [String]
    let classifiers: [String]

    /// The words that choice fields allow, which differ by version.
    init(version: FacilityAPIConfiguration.APIVersion) {
        let current = ["fairfax", "arlington", "prince william", "front royal"]
        regions = version == .v2_1 ? current + ["korea"] : current
        classifiers = version == .v2_1 ? ["shopmason", "sodoxo"] : ["shopmason"]
    }

    /// The urgencies in the order of their gravity.
    static let urgencies = ["info", "minor", "major", "emergency"]

    var facilities: [Field<ListedFacility>] {
        let own: [Field<ListedFacility>] = [
            Field("facility_name") { [.text($0.facility.name)] },
            Field("facility_classifier", .choice(classifiers)) { [.text($0.facility.classifier)] },
            Field("logo") { [.text($0.facility.logo)] },
            Field("tapingo_url") { [.text($0.facility.tapingoURL)] },
            Field("note") { [.text($0.facility.note)] },
            Field("facility_product_tags__name") { $0.facility.tags.map { .text($0) } },
            Field("facility_category__name") { [.text($0.kind.name)] },
            Field("slug", .orderOnly) { [.text($0.facility.slug)] },
            Field("phone_number", .orderOnly) { [.text($0.facility.phone)] },
            Field("modified", .orderOnly) { [.moment($0.facility.modified)] },
            Field("facility_location", .orderOnly) { [.number($0.place.id)] },
            Field("facility_category", .orderOnly) { [.text($0.kind.name)] },
        ]
        return own + places.map { $0.nested(under: "facility_location") { [$0.place] } }
            + schedules.map { $0.nested(under: "main_schedule") { $0.main.map { [$0] } ?? [] } }
            + schedules.map { $0.nested(under: "special_schedules") { $0.specials } }
    }

    var places: [Field<Place>] {
        [
            Field("building") { [.text($0.building)] },
            Field("friendly_building") { [.text($0.friendlyBuilding)] },
            Field("address") { [.text($0.address)] },
            Field("on_campus", .flag) { [.flag($0.isOnCampus)] },
            Field("campus_region", .choice(regions)) { [.text($0.campusRegion)] },
            Field("id", .orderOnly) { [.number($0.id)] },
            Field("created", .orderOnly) { [.moment($0.created)] },
            Field("modified", .orderOnly) { [.moment($0.modified)] },
        ]
    }

    var kinds: [Field<FacilityKind>] {
        [
            Field("name") { [.text($0.name)] },
            Field("id", .orderOnly) { [.number($0.id)] },
            Field("created", .orderOnly) { [.moment($0.created)] },
            Field("modified", .orderOnly) { [.moment($0.modified)] },
        ]
    }

    var schedules: [Field<Schedule>] {
        [
            Field("name") { [.text($0.name)] },
            Field("valid_start", .moment) { [.moment($0.validStart)] },
            Field("valid_end", .moment) { [.moment($0.validEnd)] },
            Field("twenty_four_hours", .flag) { [.flag($0.isTwentyFourHours)] },
            Field("id", .orderOnly) { [.number($0.id)] },
            Field("modified", .orderOnly) { [.moment($0.modified)] },
        ]
    }

    var alerts: [Field<Alert>] {
        [
            Field("urgency_tag", .choice(Self.urgencies)) { [.text($0.urgency)] },
            Field("subject") { [.text($0.subject)] },
            Field("body") { [.text($0.body)] },
            Field("url") { [.text($0.url)] },
            Field("start_datetime", .moment) { [.moment($0.start)] },
            Field("end_datetime", .moment) { [.moment($0.end)] },
            Field("id", .orderOnly) { [.number($0.id)] },
            Field("created", .orderOnly) { [.moment($0.created)] },
            Field("modified", .orderOnly) { [.moment($0.modified)] },
        ]
    }
}

extension Field {
    /// The same field reached through a relation, as `relation__name`; what can only be ordered by stays unreachable.
    fileprivate func nested<Outer: Sendable>(
        under relation: String,
        _ rows: @escaping @Sendable (Outer) -> [Row]
    ) -> Field<Outer> {
        let values = values
        let kind: Field<Outer>.Kind =
            switch self.kind {
            case .text: .text
            case .flag: .flag
            case .moment: .moment
            case .choice(let words): .choice(words)
            case .orderOnly: .orderOnly
            }
        return Field<Outer>("\(relation)__\(name)", kind) { rows($0).flatMap(values) }
    }
}
