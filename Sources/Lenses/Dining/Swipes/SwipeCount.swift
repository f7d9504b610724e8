/// The count of swipes that should be left after a meal, and its parts.
package struct SwipeCount: Sendable, Equatable {
    /// The quarter's weeks as the app counts: ten of lectures, then finals.
    package static let weeks = 0...10

    /// The swipes of the same day, after the meal.
    package let today: Int
    /// The swipes of the days until Sunday.
    package let restOfWeek: Int
    /// The swipes of the weeks after; 0 in a plan whose swipes end with the week.
    package let laterWeeks: Int

    /// The sum of the parts.
    package var total: Int { today + restOfWeek + laterWeeks }

    /// Counts as the app does.
    ///
    /// - Parameters:
    ///   - plan: the meal plan.
    ///   - week: 0 to 10, where 10 is finals; the result is `nil` for any other.
    ///   - day: 0 for Monday to 6 for Sunday; the result is `nil` for any other.
    ///   - meal: the meal that has just been taken.
    package init?(plan: SwipePlan, week: Int, day: Int, meal: SwipeMeal) {
        guard Self.weeks.contains(week), (0...6).contains(day) else { return nil }
        let remaining = plan.remaining
        today = meal.left(ofDayWith: remaining[day] - remaining[day + 1])
        restOfWeek = remaining[day + 1]
        laterWeeks = plan.hasRollover ? (10 - week) * remaining[0] : 0
    }
}
