/// A kind of meeting, or a way to take part, by which meetings are selected.
package enum MeetingType: String, CaseIterable, Sendable {
    case virtual
    case hybrid
    case inPerson = "in-person"
    case video
    case phone

    /// Whether a meeting is of this type.
    func selects(_ meeting: Meeting) -> Bool {
        switch self {
        case .virtual: meeting.kind == .virtual
        case .hybrid: meeting.kind == .hybrid
        case .inPerson: meeting.kind == .inPerson
        case .video: meeting.hasVideo
        case .phone: meeting.hasPhone
        }
    }
}
