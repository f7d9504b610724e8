import Foundation

/// What a meeting query selects: ids, type, days, start window, organizations, surroundings.
struct MeetingSearch: Sendable {
    /// A circle on the map.
    struct Circle: Sendable {
        let latitude: Double
        let longitude: Double
        let radiusKM: Double
    }

    /// A meeting found, and how far it is from the centre.
    struct Match: Sendable {
        let meeting: Meeting
        let distanceKM: Double?
    }

    let centre: Circle?
    /// How many meetings an automatic radius is to find; nil for a radius as given.
    private let minimumFound: Int?
    private let ids: [(server: Int, meeting: Int?)]
    private let type: Int
    private let weekdays: [Int]
    private let startWindow: ClosedRange<Int>
    private let organizations: [String]

    /// Reads a query; nil when its ids cannot be read, which is the server's only complaint.
    init?(_ query: Query) {
        let idText = query.value("ids") ?? ""
        var ids: [(server: Int, meeting: Int?)] = []
        if !idText.isEmpty {
            for match in idText.matches(of: #/\((\d{1,9})(?:,(\d{1,9}|\*))?\)/#) {
                guard let server = Int(match.1) else { return nil }
                let meeting = match.2.flatMap { Int($0) }
                ids.append((server, meeting == 0 ? nil : meeting))
            }
            let rest = idText.replacing(#/\(\d{1,9}(?:,(?:\d{1,9}|\*))?\)/#, with: "")
            guard !ids.isEmpty, rest.allSatisfy({ $0 == "," || $0 == " " }) else { return nil }
        }
        self.ids = ids
        type = query.integer("type") ?? 0
        weekdays = (query.value("weekdays") ?? "").split(separator: ",").compactMap { Int($0) }
        organizations = (query.value("org_key") ?? "").split(separator: ",").map(String.init)
        let earliest = query.integer("start_time") ?? 0
        startWindow = earliest...max(earliest, query.integer("end_time") ?? 86_399)
        let wanted = query.integer("minimum_found").flatMap { $0 > 0 ? $0 : nil }
        minimumFound = wanted
        let given = query.value("geo_radius").flatMap(Double.init) ?? 0
        let radius = given > 0 ? given : wanted == nil ? 0 : Self.widestKM
        if let longitude = query.value("geocenter_lng").flatMap(Double.init),
            let latitude = query.value("geocenter_lat").flatMap(Double.init), radius.isFinite, radius > 0,
            longitude.isFinite, latitude.isFinite, query.integer("type") != -2
        {
            centre = Circle(latitude: latitude, longitude: longitude, radiusKM: radius)
        } else {
            centre = nil
        }
    }

    /// The widest an automatic radius gets.
    private static let widestKM = 10_000.0

    /// The meetings selected, in the order they are kept, or nearest first round a centre; and the radius, where it was found automatically.
    func matches(in meetings: [Meeting]) -> (found: [Match], radiusKM: Double?) {
        let found = meetings.filter(isSelected).compactMap { meeting -> Match? in
            guard let centre else { return Match(meeting: meeting, distanceKM: nil) }
            guard let venue = meeting.venue else { return nil }
            let distance = Self.kilometres(from: centre, to: venue)
            return distance <= centre.radiusKM ? Match(meeting: meeting, distanceKM: distance) : nil
        }
        let sorted = found.sorted { ($0.distanceKM ?? 0) < ($1.distanceKM ?? 0) }
        guard let centre, let minimumFound else { return (sorted, nil) }
        let radius = sorted.count >= minimumFound ? sorted[minimumFound - 1].distanceKM : nil
        guard let radius else { return (sorted, centre.radiusKM) }
        let widened = min(radius.rounded(.up), centre.radiusKM)
        return (sorted.filter { ($0.distanceKM ?? 0) <= widened }, widened)
    }

    private func isSelected(_ meeting: Meeting) -> Bool {
        let isNamed =
            ids.isEmpty
            || ids.contains { $0.server == meeting.serverID && ($0.meeting ?? meeting.meetingID) == meeting.meetingID }
        let isOfType =
            switch type {
            case 1: meeting.venue != nil
            case 2: meeting.venue != nil && !meeting.hasVirtual
            case -1: meeting.hasVirtual
            case -2: meeting.hasVirtual && meeting.venue == nil
            case 3, -3: meeting.hasVirtual && meeting.venue != nil
            default: true
            }
        return isNamed && isOfType
            && (weekdays.isEmpty || weekdays.contains(meeting.weekday))
            && (organizations.isEmpty || organizations.contains(meeting.organization))
            && startWindow.contains(meeting.start)
    }

    /// Great-circle distance by the haversine formula, to the metre.
    private static func kilometres(from centre: Circle, to venue: Meeting.Venue) -> Double {
        let radians = Double.pi / 180
        let latitudes = (venue.latitude - centre.latitude) * radians / 2
        let longitudes = (venue.longitude - centre.longitude) * radians / 2
        let half =
            pow(sin(latitudes), 2)
            + cos(centre.latitude * radians) * cos(venue.latitude * radians) * pow(sin(longitudes), 2)
        return (2 * 6371 * asin(min(1, sqrt(half))) * 1000).rounded() / 1000
    }
}
