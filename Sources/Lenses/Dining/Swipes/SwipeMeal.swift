/// A meal that takes a swipe.
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

    /// Makes the meal that the app assumes for an hour of the day, 0 to 23.
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

    /// How many swipes a day of this many still has after the meal.
    func left(ofDayWith swipes: Int) -> Int {
        switch (swipes, self) {
        case (3, .breakfast), (3, .brunch): 2
        case (3, .lunch), (2, .breakfast), (2, .brunch), (2, .lunch): 1
        default: 0
        }
    }
}
