import Traffic

/// A weekly meeting of the server's answer, read leniently: `losses` says what could not be read.
package struct Meeting: Sendable {
    /// The meeting's index in the answer's list.
    package var index: Int
    package var serverID: Int64?
    package var meetingID: Int64?
    package var organization: String?
    /// The name, without the label that a server may put before it.
    package var name = ""
    /// The weekday in the meeting's own zone, 1 (Sunday) to 7 (Saturday); `nil` where the answer has none of these.
    package var weekday: Int?
    /// The start in seconds after midnight by the clocks of the meeting's zone.
    package var start: Int?
    /// The zone's name in the answer; empty where there is none.
    package var zoneName = ""
    /// The duration in the answer, in seconds; `nil` where there is none.
    package var toldDuration: Int?
    package var latitude: Double?
    package var longitude: Double?
    /// The distance from the centre of the search, in kilometres.
    package var distance: Double?
    package var comments = ""
    /// The keys of the meeting's formats: `O`, `HY`.
    package var formats: [String] = []
    package var street = ""
    package var venue = ""
    package var town = ""
    package var url = ""
    package var phone = ""
    /// Why the app hides or alters the meeting; an unknown zone is not among them, since only the zones tell.
    package var losses: [MeetingLoss] = []

    package init(index: Int) { self.index = index }

    /// The way in which people meet.
    package enum Kind: String, Sendable, CaseIterable {
        case virtual
        case hybrid
        case inPerson = "in-person"
    }

    /// The way in which people meet; `nil` where there is no place, no link and no number.
    package var kind: Kind? {
        let isSomewhere = !street.isEmpty || !venue.isEmpty
        guard hasVideo || hasPhone else { return isSomewhere ? .inPerson : nil }
        return isSomewhere ? .hybrid : .virtual
    }

    package var hasVideo: Bool { !url.isEmpty }
    package var hasPhone: Bool { !phone.isEmpty }

    /// The app's number for the meeting: the server's number above the 44 bits of the meeting's own; `nil` where either is missing.
    package var id: UInt64? {
        guard let server = serverID.flatMap(UInt64.init(exactly:)), let own = meetingID.flatMap(UInt64.init(exactly:))
        else { return nil }
        return Meeting.id(server: server, meeting: own)
    }

    /// The app's number for a meeting of a server.
    package static func id(server: UInt64, meeting: UInt64) -> UInt64 { server << 44 &+ meeting }

    /// Reads the app's numbers for meetings, each from `99/11` or the number itself.
    ///
    /// - Parameters:
    ///   - names: the names of meetings.
    ///   - option: the option whose values they are.
    /// - Returns: the numbers.
    /// - Throws: `PlaceProblem.value` for a name of no meeting.
    package static func ids(named names: [String], of option: String) throws(PlaceProblem) -> Set<UInt64> {
        var ids: Set<UInt64> = []
        for name in names {
            guard let id = id(named: name) else {
                throw .value(
                    option: option,
                    given: name,
                    expectation: "expected a server's and a meeting's number, such as 99/11"
                )
            }
            ids.insert(id)
        }
        return ids
    }

    private static func id(named name: String) -> UInt64? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map { UInt64($0) }
        if parts.count == 2, let server = parts[0], let own = parts[1], server < 1 << 20, own < 1 << 44 {
            return id(server: server, meeting: own)
        }
        return parts.count == 1 ? parts[0] : nil
    }

    /// `99/11`, from the app's number for a meeting.
    package static func label(of id: UInt64) -> String { "\(id >> 44)/\(id & (1 << 44 - 1))" }

    /// `99/11`, the name that people use.
    package var label: String { "\(serverID.map(String.init) ?? "?")/\(meetingID.map(String.init) ?? "?")" }

    /// The duration that the app assumes, in seconds: an hour where the answer has none or a day and more; 0 for a meeting that is never in progress.
    package var duration: Int {
        guard let told = toldDuration else { return 3600 }
        return told >= 86_400 ? 3600 : max(0, told)
    }

    /// Whether the meeting is about the fellowship's own affairs by its formats; the app leaves such meetings out where asked to.
    package var isService: Bool { formats.contains { ["asm", "sub-rp"].contains($0.lowercased()) } }

    /// The name that the app shows: it percent-decodes the name twice, and shows nothing where that fails.
    package var nameInApp: String { PercentCoding.wholeText(name).flatMap(PercentCoding.wholeText) ?? "" }
}
