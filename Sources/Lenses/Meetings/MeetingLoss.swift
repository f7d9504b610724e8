/// A reason why the app hides a meeting, or shows it differently from the answer.
package enum MeetingLoss: Int, Sendable, CaseIterable, Comparable {
    case serverID, meetingID, start, organization, weekday
    case noZone, unknownZone
    case noPlace
    case emptyName, label, defaultAddress

    /// Whether the app hides the meeting.
    package var hides: Bool { self <= .noPlace }

    /// The reason in a few words.
    package var title: String {
        switch self {
        case .serverID: "no server_id"
        case .meetingID: "no meeting_id"
        case .start: "no start_time that can be read"
        case .organization: "no organization_key"
        case .weekday: "weekday is not 1 to 7"
        case .noZone: "no time_zone"
        case .unknownZone: "unknown time_zone"
        case .noPlace: "no street, venue, url or phone number"
        case .emptyName: "the name becomes empty"
        case .label: "a field is cut to what follows #@-@#"
        case .defaultAddress: "the address is taken away: it is the server's default place"
        }
    }

    /// The member that the reason is about, as the end of a pointer from the meeting.
    package var member: String {
        switch self {
        case .serverID: "/server_id"
        case .meetingID: "/meeting_id"
        case .start: "/start_time"
        case .organization: "/organization_key"
        case .weekday: "/weekday"
        case .noZone, .unknownZone: "/time_zone"
        case .emptyName: "/name"
        case .defaultAddress: "/physical_address"
        case .noPlace, .label: ""
        }
    }

    package static func < (left: MeetingLoss, right: MeetingLoss) -> Bool { left.rawValue < right.rawValue }
}
