/// A meal plan of the campus: so many swipes a week, and whether what is left of the quarter's can be used later.
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

    /// What the app calls it.
    package var title: String {
        switch self {
        case .premier19: "Bruin Premier 19"
        case .premier14: "Bruin Premier 14"
        case .gold19: "Gold 19"
        case .gold14: "Gold 14"
        case .cub11: "Cub 11"
        }
    }

    /// Whether the swipes of the quarter's later weeks are there already.
    package var hasRollover: Bool { self == .premier19 || self == .premier14 }

    /// Swipes of the week that are left before each day begins, Monday first; the last is after Sunday.
    var remaining: [Int] {
        switch self {
        case .premier19, .gold19: [19, 16, 13, 10, 7, 4, 2, 0]
        case .premier14, .gold14: [14, 12, 10, 8, 6, 4, 2, 0]
        case .cub11: [11, 9, 8, 6, 5, 3, 1, 0]
        }
    }
}
