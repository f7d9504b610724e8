import Traffic

/// A weekly meeting as the server tells it, read leniently: what cannot be read is left out, and said in `losses`.
package struct Meeting: Sendable {
    /// Its place in the answer's list.
    package var index: Int
    package var serverID: Int64?
    package var meetingID: Int64?
    package var organization: String?
    /// The name, of a labelled one what stands after the label.
    package var name = ""
    /// The day in its own zone, 1 is Sunday and 7 Saturday; `nil` where none of these was told.
    package var weekday: Int?
    /// Seconds after midnight by the clocks of its zone.
    package var start: Int?
    /// The zone's name as told; empty where none was.
    package var zoneName = ""
    /// Seconds that it takes as told; `nil` where nothing was.
    package var toldDuration: Int?
    package var latitude: Double?
    package var longitude: Double?
    /// Kilometres from the centre of the search.
    package var distance: Double?
    package var comments = ""
    /// The keys of its formats: `O`, `HY`.
    package var formats: [String] = []
    package var street = ""
    package var venue = ""
    package var town = ""
    package var url = ""
    package var phone = ""
    /// What of it the app does not show as it was told, but for an unknown zone: that is asked of the zones.
    package var losses: [MeetingLoss] = []

    package init(index: Int) { self.index = index }

    /// How one meets.
    package enum Kind: String, Sendable, CaseIterable {
        case virtual
        case hybrid
        case inPerson = "in-person"
    }

    /// How one meets; `nil` when there is neither a place nor a link nor a number.
    package var kind: Kind? {
        let isSomewhere = !street.isEmpty || !venue.isEmpty
        guard hasVideo || hasPhone else { return isSomewhere ? .inPerson : nil }
        return isSomewhere ? .hybrid : .virtual
    }

    package var hasVideo: Bool { !url.isEmpty }
    package var hasPhone: Bool { !phone.isEmpty }

    /// The number under which the app knows it: its server's above the 44 bits of its own; `nil` when either is missing.
    package var id: UInt64? {
        guard let server = serverID.flatMap(UInt64.init(exactly:)), let own = meetingID.flatMap(UInt64.init(exactly:))
        else { return nil }
        return Meeting.id(server: server, meeting: own)
    }

    /// The number under which the app knows a meeting of a server.
    package static func id(server: UInt64, meeting: UInt64) -> UInt64 { server << 44 &+ meeting }

    /// The numbers under which the app knows meetings, from `99/11` or those numbers themselves.
    ///
    /// - Parameters:
    ///   - names: what names a meeting each.
    ///   - option: the option that they are values of.
    /// - Returns: the numbers.
    /// - Throws: `PlaceProblem.value` for what names no meeting.
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

    /// `99/11`, of the number under which the app knows a meeting.
    package static func label(of id: UInt64) -> String { "\(id >> 44)/\(id & (1 << 44 - 1))" }

    /// `99/11`, as people name it.
    package var label: String { "\(serverID.map(String.init) ?? "?")/\(meetingID.map(String.init) ?? "?")" }

    /// Seconds that the app takes it to last: an hour where none or a day and more was told; 0 for one that is never in progress.
    package var duration: Int {
        guard let told = toldDuration else { return 3600 }
        return told >= 86_400 ? 3600 : max(0, told)
    }

    /// Whether its formats make it one of the fellowship's own affairs, which the app leaves out where asked to.
    package var isService: Bool { formats.contains { ["asm", "sub-rp"].contains($0.lowercased()) } }

    /// The name in the app, which percent-decodes it twice and takes what fails for nothing.
    package var nameInApp: String { PercentCoding.wholeText(name).flatMap(PercentCoding.wholeText) ?? "" }
}
