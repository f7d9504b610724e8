import Foundation

/// The form of rows on the wire, member by member in the server's order, in the version that is spoken.
struct Representation: Sendable {
    let time: WallTime
    let version: FacilityAPIConfiguration.APIVersion

    /// A place as an object.
    func json(_ place: Place) -> JSON {
        [
            "id": .int(place.id), "created": date(place.created), "modified": date(place.modified),
            "building": .string(place.building), "friendly_building": .string(place.friendlyBuilding),
            "address": .string(place.address), "campus_region": .string(place.campusRegion),
            "on_campus": .bool(place.isOnCampus),
            "coordinate_location": [
                "type": "Point", "coordinates": [.double(place.longitude), .double(place.latitude)],
            ],
        ]
    }

    /// A category as an object.
    func json(_ kind: FacilityKind) -> JSON {
        [
            "id": .int(kind.id), "created": date(kind.created), "modified": date(kind.modified),
            "name": .string(kind.name),
        ]
    }

    /// A schedule with its entries; version 2.1 adds two switches.
    ///
    /// `hidesDates` serves both dates as null, as the fault `nullspecial` asks.
    func json(_ schedule: Schedule, hidesDates: Bool = false) -> JSON {
        let entries = schedule.openTimes.map { entry -> JSON in
            [
                "schedule": .int(schedule.id), "modified": date(entry.modified),
                "start_day": .int(entry.startDay), "end_day": .int(entry.endDay),
                "start_time": .string(WallTime.timeText(entry.start)),
                "end_time": .string(WallTime.timeText(entry.end)),
            ]
        }
        var members: [JSON.Member] = [
            .init(name: "id", value: .int(schedule.id)),
            .init(name: "open_times", value: .array(entries)),
            .init(name: "modified", value: date(schedule.modified)),
            .init(name: "name", value: .string(schedule.name)),
            .init(name: "valid_start", value: hidesDates ? .null : date(schedule.validStart)),
            .init(name: "valid_end", value: hidesDates ? .null : date(schedule.validEnd)),
            .init(name: "twenty_four_hours", value: .bool(schedule.isTwentyFourHours)),
        ]
        if version == .v2_1 {
            members.append(.init(name: "schedule_for_removal", value: .bool(schedule.validEnd != nil)))
            members.append(.init(name: "promote_to_main", value: false))
        }
        return .object(members)
    }

    /// A facility with all it refers to; version 2.1 has labels, and a classifier taken for a list of its characters.
    func json(_ listed: ListedFacility, hidesSpecialDates: Bool) -> JSON {
        let facility = listed.facility
        let labels: [JSON.Member] =
            version == .v2_1 ? [.init(name: "facility_labels", value: .strings(facility.labels))] : []
        let classifier: JSON =
            version == .v2_1 ? .strings(facility.classifier.map(String.init)) : .string(facility.classifier)
        return .object(
            [
                .init(name: "slug", value: .string(facility.slug)),
                .init(name: "facility_name", value: .string(facility.name)),
                .init(name: "logo", value: .string(facility.logo)),
                .init(name: "facility_location", value: json(listed.place)),
                .init(name: "facility_category", value: json(listed.kind)),
                .init(name: "phone_number", value: .string(facility.phone)),
                .init(name: "facility_product_tags", value: .strings(facility.tags)),
            ] + labels + [
                .init(name: "facility_classifier", value: classifier),
                .init(name: "tapingo_url", value: .string(facility.tapingoURL)),
                .init(name: "note", value: .string(facility.note)),
                .init(name: "main_schedule", value: listed.main.map { json($0) } ?? .null),
                .init(
                    name: "special_schedules",
                    value: .array(listed.specials.map { json($0, hidesDates: hidesSpecialDates) })
                ),
                .init(name: "modified", value: date(facility.modified)),
            ]
        )
    }

    /// An alert; version 2.1 has one message where 2.2 has a subject, a body and a link.
    func json(_ alert: Alert) -> JSON {
        let words: [JSON.Member] =
            version == .v2_1
            ? [.init(name: "message", value: .string(String("\(alert.subject): \(alert.body)".prefix(140))))]
            : [
                .init(name: "subject", value: .string(alert.subject)),
                .init(name: "body", value: .string(alert.body)),
                .init(name: "url", value: .string(alert.url)),
            ]
        return .object(
            [
                .init(name: "id", value: .int(alert.id)),
                .init(name: "created", value: date(alert.created)),
                .init(name: "modified", value: date(alert.modified)),
                .init(name: "urgency_tag", value: .string(alert.urgency)),
            ] + words + [
                .init(name: "start_datetime", value: date(alert.start)),
                .init(name: "end_datetime", value: date(alert.end)),
            ]
        )
    }

    private func date(_ date: Date?) -> JSON {
        .optional(date.map { time.rfc3339($0) })
    }
}
