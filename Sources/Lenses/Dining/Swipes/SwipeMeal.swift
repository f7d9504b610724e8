/// A meal as swipes are counted.
package enum SwipeMeal: String, Sendable, CaseIterable {
    case breakfast = "Breakfast"
    case brunch = "Brunch"
    case lunch = "Lunch"
    case dinner = "Dinner"
    case lateNight = "Late Night"

    /// Reads a meal, whatever the case: `lunch`, `late night`, `latenight`.
    package init?(named text: String) {
        let wanted = text.lowercased().filter { $0 != " " && $0 != "-" }
        guard let meal = Self.allCases.first(where: { $0.rawValue.lowercased().filter { $0 != " " } == wanted })
        else { return nil }
        self = meal
    }

    /// What the app takes for the meal of an hour of the day, 0 to 23.
    package init(hour: Int) {
        self =
            switch hour {
            case ...3: .lateNight
            case ...11: .breakfast
            case ...16: .lunch
            case ...20: .dinner
            default: .lateNight
            }
    }

    /// Swipes that a day of so many still has after it.
    func left(ofDayWith swipes: Int) -> Int {
        switch (swipes, self) {
        case (3, .breakfast), (3, .brunch): 2
        case (3, .lunch), (2, .breakfast), (2, .brunch), (2, .lunch): 1
        default: 0
        }
    }
}
