import ArgumentParser
import Lenses

/// What `--type` of `inspect meetings` selects.
enum MeetingType: String, ExpressibleByArgument, CaseIterable, Sendable {
    case virtual
    case hybrid
    case inPerson = "in-person"
    case video
    case phone

    /// Whether a meeting is of it.
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
