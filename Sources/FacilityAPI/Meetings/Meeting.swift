/// A weekly meeting as the meeting server keeps it.
struct Meeting: Sendable, Equatable {
    let serverID: Int
    let meetingID: Int
    let organization: String
    let name: String
    /// Sunday is 1, Saturday 7.
    let weekday: Int
    /// Seconds since midnight in the meeting's own zone.
    let start: Int
    let timeZone: String
    let durationSeconds: Int
    let formats: [String]
    let venue: Venue?
    let videoURL: String?
    let dialIn: String?
    let comments: String

    /// Where people meet in person.
    struct Venue: Sendable, Equatable {
        let name: String
        let street: String
        let city: String
        let province: String
        let postalCode: String
        let nation: String
        let longitude: Double
        let latitude: Double
    }

    var hasVirtual: Bool { videoURL != nil || dialIn != nil }

    /// The meeting as an object; what is empty is left out, as the server leaves it out.
    ///
    /// The distance is from the centre of a search by place.
    func json(distanceKM: Double?) -> JSON {
        var members: [JSON.Member] = [
            .init(name: "server_id", value: .int(serverID)),
            .init(name: "meeting_id", value: .int(meetingID)),
        ]
        // PHP takes "" and 0 for empty.
        if !organization.isEmpty { members.append(.init(name: "organization_key", value: .string(organization))) }
        members.append(.init(name: "name", value: .string(name)))
        members.append(.init(name: "start_time", value: .string(WallTime.timeText(start))))
        if !timeZone.isEmpty { members.append(.init(name: "time_zone", value: .string(timeZone))) }
        if weekday != 0 { members.append(.init(name: "weekday", value: .int(weekday))) }
        if durationSeconds != 0 { members.append(.init(name: "duration", value: .int(durationSeconds))) }
        if let venue {
            members.append(.init(name: "longitude", value: .double(venue.longitude)))
            members.append(.init(name: "latitude", value: .double(venue.latitude)))
        }
        if let distanceKM { members.append(.init(name: "distance", value: .double(distanceKM))) }
        if !comments.isEmpty { members.append(.init(name: "comments", value: .string(comments))) }
        members.append(.init(name: "formats", value: .array(formats.compactMap { MeetingFormat.json($0) })))
        if let venue {
            members.append(
                .init(
                    name: "physical_address",
                    value: [
                        "street": .string(venue.street), "name": .string(venue.name), "city": .string(venue.city),
                        "province": .string(venue.province), "postal_code": .string(venue.postalCode),
                        "nation": .string(venue.nation),
                    ]
                )
            )
        }
        if hasVirtual {
            var virtual: [JSON.Member] = []
            if let videoURL { virtual.append(.init(name: "url", value: .string(videoURL))) }
            if let dialIn { virtual.append(.init(name: "phone_number", value: .string(dialIn))) }
            if !timeZone.isEmpty { virtual.append(.init(name: "time_zone", value: .string(timeZone))) }
            members.append(.init(name: "virtual_information", value: .object(virtual)))
        }
        return .object(members)
    }
}
