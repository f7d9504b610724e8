extension MeetingSeed {
    /// Meetings that are not as they should be, each in one way, as real servers have them.
    ///
    /// The client hides the first six without a word: no zone, an unknown zone, no weekday, no organization, nowhere to go, and nothing left of
    /// the address. It misreads the others: a marker in a field, a percent sign, an id that is there twice, a committee's meeting.
    static var oddMeetings: [Meeting] {
        let zone = "America/New_York"
        let link = "https://us02web.zoom.example/j/70012300"
        return [
            odd(1, "No Zone Group", zone: "", link: link), odd(2, "Lost Zone Group", zone: "US/Estern", link: link),
            odd(3, "No Day Group", zone: zone, weekday: 0, link: link),
            odd(4, "No Region Group", zone: zone, organization: "", link: link),
            odd(5, "Nowhere Group", zone: zone),
            odd(6, "Default Place Group", zone: zone, venue: defaultVenue),
            odd(7, "Room Code Group", zone: zone, link: link, comments: "comments#@-@#Ask for the room code."),
            odd(8, "50% Off Your Chest", zone: zone, link: link),
            odd(9, "Twice Listed", zone: zone, link: link), odd(9, "Twice Listed", zone: zone, link: link),
            odd(10, "Subcommittee Report", zone: zone, link: link, formats: ["sub-rp", "VM"]),
            // A day with three starts, of which the nearest is not the one whose digits are nearest.
            odd(11, "Late Morning One", zone: zone, weekday: 1, start: 11 * 3600, link: link),
            odd(12, "Late Morning Two", zone: zone, weekday: 1, start: 12 * 3600 + 1800, link: link),
        ]
    }

    /// Where the meeting servers' software puts what has no place.
    private static var defaultVenue: Meeting.Venue {
        Meeting.Venue(
            name: "",
            street: "Default Street 1",
            city: "Chatsworth",
            province: "CA",
            postalCode: "91311",
            nation: "US",
            longitude: -118.563_52,
            latitude: 34.235_96
        )
    }

    private static func odd(
        _ number: Int,
        _ name: String,
        zone: String,
        weekday: Int = 4,
        start: Int = 20 * 3600,
        organization: String = "virtual-na",
        link: String? = nil,
        venue: Meeting.Venue? = nil,
        formats: [String] = ["O", "VM"],
        comments: String = ""
    ) -> Meeting {
        Meeting(
            serverID: 140,
            meetingID: 9_000 + number,
            organization: organization,
            name: name,
            weekday: weekday,
            start: start,
            timeZone: zone,
            durationSeconds: 3600,
            formats: formats,
            venue: venue,
            videoURL: link.map { "\($0)\(number)" },
            dialIn: nil,
            comments: comments
        )
    }
}

extension Array {
    /// The array with more elements at its end.
    func appending(_ more: [Element]) -> [Element] { self + more }
}
