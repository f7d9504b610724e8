/// A position of the app's day selector: in progress, a day of the week, or search.
package enum MeetingDay: Hashable, Sendable {
    case inProgress
    /// A weekday, 1 (Sunday) to 7 (Saturday).
    case weekday(Int)
    case search

    package static let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// The position of an index: 0 in progress, 1 Sunday to 7 Saturday, 8 search; `nil` for any other.
    package init?(index: Int) {
        switch index {
        case 0: self = .inProgress
        case 1...7: self = .weekday(index)
        case 8: self = .search
        default: return nil
        }
    }

    /// Reads an index, or a day's name or a beginning that no other day's name has: `tue`, `Tuesday`.
    package init?(_ text: String) {
        if let index = Int(text) {
            self.init(index: index)
            return
        }
        let found = MeetingDay.names.indices.filter { MeetingDay.names[$0].lowercased().hasPrefix(text.lowercased()) }
        guard text.count >= 2, found.count == 1, let first = found.first else { return nil }
        self = .weekday(first + 1)
    }

    /// The index, 0 to 8.
    package var index: Int {
        switch self {
        case .inProgress: 0
        case .weekday(let day): day
        case .search: 8
        }
    }

    package var title: String {
        switch self {
        case .inProgress: "In Progress"
        case .weekday(let day): MeetingDay.name(day)
        case .search: "Search"
        }
    }

    /// The name of a weekday, 1 for Sunday; any other number as it is.
    package static func name(_ weekday: Int) -> String {
        (1...names.count).contains(weekday) ? names[weekday - 1] : "day \(weekday)"
    }
}
