/// Invents a few hundred meetings on three servers, over many time zones; the same ones every time.
enum MeetingSeed {
    /// The servers that the meetings come from.
    static let serverNames = [99: "Antipodes Region", 122: "Piedmont Region", 140: "North Sea Region"]

    /// All meetings, by server and id; among them those that the client leaves out or misreads.
    static func meetings() -> [Meeting] {
        groups.enumerated().flatMap { groupNumber, group in
            group.weekdays.map { weekday in
                let meetingID = 10 + groupNumber * 10 + weekday
                return Meeting(
                    serverID: group.server,
                    meetingID: meetingID,
                    organization: group.venue == nil ? "virtual-na" : "na",
                    name: group.name,
                    weekday: weekday,
                    start: (group.start / 100) * 3600 + (group.start % 100) * 60,
                    timeZone: group.zone,
                    durationSeconds: group.minutes * 60,
                    formats: group.formats,
                    venue: group.venue.flatMap { venues.indices.contains($0) ? venues[$0] : nil },
                    videoURL: group.isOnline
                        ? "https://us02web.zoom.example/j/33969\(60_000 + meetingID)?pwd=c\(meetingID)x" : nil,
                    dialIn: group.hasDialIn ? "+1 555 01\(10 + groupNumber % 80),,\(1000 + meetingID)#" : nil,
                    comments: group.comments
                )
            }
        }.appending(oddMeetings).sorted { ($0.serverID, $0.meetingID) < ($1.serverID, $1.meetingID) }
    }

    private struct Group {
        var server: Int
        var name: String
        var zone: String
        var start: Int
        var minutes: Int
        var weekdays: [Int]
        var formats: [String]
        var isOnline = true
        var hasDialIn = false
        var venue: Int?
        var comments = ""
    }

    private static let venues = [
        Meeting.Venue(
            name: "Grace Chapel",
            street: "12 E. Mulberry Street",
            city: "Staunton",
            province: "VA",
            postalCode: "24401",
            nation: "US",
            longitude: -79.0717,
            latitude: 38.1496
        ),
        Meeting.Venue(
            name: "Old Mill Hall",
            street: "88 River Road",
            city: "Winchester",
            province: "VA",
            postalCode: "22601",
            nation: "US",
            longitude: -78.1633,
            latitude: 39.1857
        ),
        Meeting.Venue(
            name: "Buurthuis De Brug",
            street: "Kade 4",
            city: "Haarlem",
            province: "NH",
            postalCode: "2011",
            nation: "NL",
            longitude: 4.6462,
            latitude: 52.3874
        ),
    ]

    private static let daily = Array(1...7)
    private static let working = Array(2...6)

    private static var groups: [Group] {
        [
            Group(
                server: 122,
                name: "Easy Mornings",
                zone: "America/New_York",
                start: 700,
                minutes: 60,
                weekdays: daily,
                formats: ["O", "VM"]
            ),
            Group(
                server: 122,
                name: "Lunch Hour",
                zone: "America/New_York",
                start: 1200,
                minutes: 60,
                weekdays: working,
                formats: ["O", "VM"],
                hasDialIn: true
            ),
            Group(
                server: 122,
                name: "Rush Hour",
                zone: "America/New_York",
                start: 1730,
                minutes: 60,
                weekdays: working,
                formats: ["C", "VM"]
            ),
            Group(
                server: 122,
                name: "Mulberry Street Hybrid",
                zone: "America/New_York",
                start: 1930,
                minutes: 90,
                weekdays: [2, 4, 6],
                formats: ["O", "HY"],
                venue: 0,
                comments: "Ramp at the back door."
            ),
            Group(
                server: 122,
                name: "Mill Hall Step Study",
                zone: "America/New_York",
                start: 1900,
                minutes: 75,
                weekdays: [3, 5],
                formats: ["ST"],
                isOnline: false,
                venue: 1
            ),
            Group(
                server: 122,
                name: "Midnight Lifeline",
                zone: "America/New_York",
                start: 0,
                minutes: 60,
                weekdays: daily,
                formats: ["O", "VM"],
                isOnline: false,
                hasDialIn: true
            ),
            Group(
                server: 122,
                name: "Prairie Fire",
                zone: "America/Chicago",
                start: 1900,
                minutes: 60,
                weekdays: daily,
                formats: ["O", "VM"]
            ),
            Group(
                server: 122,
                name: "Front Range Basics",
                zone: "America/Denver",
                start: 1830,
                minutes: 60,
                weekdays: [1, 3, 5, 7],
                formats: ["BT", "VM"]
            ),
            Group(
                server: 122,
                name: "Sunset Surrender",
                zone: "America/Los_Angeles",
                start: 2000,
                minutes: 90,
                weekdays: daily,
                formats: ["O", "VM"]
            ),
            Group(
                server: 122,
                name: "Desert Dawn",
                zone: "America/Phoenix",
                start: 530,
                minutes: 45,
                weekdays: working,
                formats: ["O", "VM"]
            ),
            Group(
                server: 122,
                name: "Aloha Group",
                zone: "Pacific/Honolulu",
                start: 1800,
                minutes: 60,
                weekdays: [1, 4],
                formats: ["O", "VM"]
            ),
            Group(
                server: 122,
                name: "Area Service Committee",
                zone: "America/New_York",
                start: 1400,
                minutes: 180,
                weekdays: [1],
                formats: ["asm", "VM"]
            ),
            Group(
                server: 122,
                name: "100% Recovery",
                zone: "America/New_York",
                start: 2100,
                minutes: 60,
                weekdays: [7],
                formats: ["O", "VM"]
            ),
            Group(
                server: 99,
                name: "Late Owls",
                zone: "Pacific/Auckland",
                start: 2330,
                minutes: 60,
                weekdays: [6, 7],
                formats: ["O", "VM"],
                isOnline: false,
                hasDialIn: true
            ),
            Group(
                server: 99,
                name: "Southern Cross",
                zone: "Australia/Sydney",
                start: 1900,
                minutes: 60,
                weekdays: daily,
                formats: ["O", "VM"]
            ),
            Group(
                server: 99,
                name: "Billabong Breakfast",
                zone: "Australia/Adelaide",
                start: 630,
                minutes: 60,
                weekdays: working,
                formats: ["O", "VM"]
            ),
            Group(
                server: 99,
                name: "West Coast Night",
                zone: "Australia/Perth",
                start: 2030,
                minutes: 90,
                weekdays: [2, 4, 6],
                formats: ["C", "VM"]
            ),
            Group(
                server: 99,
                name: "朝の集い",
                zone: "Asia/Tokyo",
                start: 800,
                minutes: 60,
                weekdays: [1, 7],
                formats: ["O", "VM"]
            ),
            Group(
                server: 99,
                name: "Himalaya Circle",
                zone: "Asia/Kathmandu",
                start: 1815,
                minutes: 60,
                weekdays: [2, 5],
                formats: ["O", "VM"]
            ),
            Group(
                server: 99,
                name: "Monsoon Group",
                zone: "Asia/Kolkata",
                start: 2000,
                minutes: 90,
                weekdays: daily,
                formats: ["O", "VM"],
                hasDialIn: true
            ),
            Group(
                server: 140,
                name: "Dublin Early Risers",
                zone: "Europe/Dublin",
                start: 600,
                minutes: 45,
                weekdays: working,
                formats: ["O", "VM"]
            ),
            Group(
                server: 140,
                name: "Night Bus",
                zone: "Europe/London",
                start: 30,
                minutes: 60,
                weekdays: [2, 3, 7],
                formats: ["O", "VM"]
            ),
            Group(
                server: 140,
                name: "De Brug",
                zone: "Europe/Amsterdam",
                start: 1930,
                minutes: 90,
                weekdays: [3],
                formats: ["HY", "O"],
                venue: 2
            ),
            Group(
                server: 140,
                name: "Fjordlys",
                zone: "Europe/Oslo",
                start: 1800,
                minutes: 60,
                weekdays: [1, 4],
                formats: ["O", "VM"]
            ),
            Group(
                server: 140,
                name: "Nový začátek",
                zone: "Europe/Prague",
                start: 1700,
                minutes: 60,
                weekdays: [2, 4],
                formats: ["ST", "VM"]
            ),
            Group(
                server: 140,
                name: "Aurora",
                zone: "Europe/Helsinki",
                start: 2000,
                minutes: 0,
                weekdays: [6],
                formats: []
            ),
            Group(
                server: 140,
                name: "Maratón",
                zone: "Europe/Madrid",
                start: 900,
                minutes: 600,
                weekdays: [7],
                formats: ["O", "VM"]
            ),
        ]
    }
}
