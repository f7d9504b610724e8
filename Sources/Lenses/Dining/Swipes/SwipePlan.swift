/// A meal plan of the campus, by its swipes a week, and by whether swipes can be used in later weeks of the quarter.
package enum SwipePlan: String, Sendable, CaseIterable {
    case premier19 = "BP19"
    case premier14 = "BP14"
    case gold19 = "Gold19"
    case gold14 = "Gold14"
    case cub11 = "Cub11"

    /// Reads a plan by its short name or title, whatever the case and blanks: `BP19`, `gold 19`, `Cub 11`.
    package init?(named text: String) {
        let wanted = text.lowercased().filter { !$0.isWhitespace && $0 != "-" }
        let plan = Self.allCases.first { plan in
            plan.rawValue.lowercased() == wanted || plan.title.lowercased().filter { !$0.isWhitespace } == wanted
        }
        guard let plan else { return nil }
        self = plan
    }

    /// The app's name of the plan.
    package var title: String {
        switch self {
        case .premier19: "Bruin Premier 19"
        case .premier14: "Bruin Premier 14"
        case .gold19: "Gold 19"
        case .gold14: "Gold 14"
        case .cub11: "Cub 11"
        }
    }

    /// Whether the swipes of the quarter's later weeks can be used already.
    package var hasRollover: Bool { self == .premier19 || self == .premier14 }

    /// The week's swipes that are left before each day, Monday first; the last count is after Sunday.
    var remaining: [Int] {
        switch self {
        case .premier19, .gold19: [19, 16, 13, 10, 7, 4, 2, 0]
        case .premier14, .gold14: [14, 12, 10, 8, 6, 4, 2, 0]
        case .cub11: [11, 9, 8, 6, 5, 3, 1, 0]
        }
    }
}
