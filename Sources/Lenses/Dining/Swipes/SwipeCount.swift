/// The swipes that somebody should have left after a meal, and what they are made of.
package struct SwipeCount: Sendable, Equatable {
    /// The quarter's weeks as the app counts: ten of lectures, then finals.
    package static let weeks = 0...10

    /// Of the same day, after the meal.
    package let today: Int
    /// Of the days until Sunday.
    package let restOfWeek: Int
    /// Of the weeks after; 0 in a plan whose swipes end with the week.
    package let laterWeeks: Int

    /// All of them.
    package var total: Int { today + restOfWeek + laterWeeks }

    /// Counts as the app does.
    ///
    /// - Parameters:
    ///   - plan: the meal plan.
    ///   - week: 0 to 10, 10 being finals; `nil` comes back for another.
    ///   - day: 0 for Monday to 6 for Sunday; `nil` comes back for another.
    ///   - meal: the meal that has just been taken.
    package init?(plan: SwipePlan, week: Int, day: Int, meal: SwipeMeal) {
        guard Self.weeks.contains(week), (0...6).contains(day) else { return nil }
        let remaining = plan.remaining
        today = meal.left(ofDayWith: remaining[day] - remaining[day + 1])
        restOfWeek = remaining[day + 1]
        laterWeeks = plan.hasRollover ? (10 - week) * remaining[0] : 0
    }
}
