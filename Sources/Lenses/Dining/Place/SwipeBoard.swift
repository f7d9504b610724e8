package import Traffic

/// The swipes that should be left on a plan after a meal.
package struct SwipeBoard: PlaceBoard {
    package let plan: SwipePlan
    /// The week of the quarter, 0 to 10; 10 is finals.
    package let week: Int
    /// The day of the week, 0 (Monday) to 6 (Sunday).
    package let day: Int
    package let meal: SwipeMeal
    package let count: SwipeCount
    /// The day from which `week` was worked out; `nil` where the week was named.
    let reckonedDay: CampusDay?

    /// The week that the app takes the day for; `nil` where the week was named.
    package var quarter: (day: CampusDay, week: AcademicWeek)? {
        guard let reckonedDay, let week = AcademicWeek(of: reckonedDay) else { return nil }
        return (reckonedDay, week)
    }

    /// A sentence that the week is a guess, without a full stop; `nil` where it is none.
    package var warning: String? {
        guard let reckonedDay, !AcademicWeek.isOfKnownYear(reckonedDay) else { return nil }
        return "The app's quarters begin as in 2014–15 whatever the year (BL-B3), so the week may be wrong"
    }

    /// Writes the question, and `left` with the three parts whose sum it is.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("plan", plan.rawValue)
            json.integer("week", week)
            json.integer("day", day)
            json.string("dayName", CampusTime.weekdays[day])
            json.string("meal", meal.rawValue)
            json.integer("left", count.total)
            json.integer("today", count.today)
            json.integer("restOfWeek", count.restOfWeek)
            json.integer("laterWeeks", count.laterWeeks)
            json.string("quarter", quarter?.week.quarter.rawValue)
            json.string("warning", warning)
        }
    }
}
