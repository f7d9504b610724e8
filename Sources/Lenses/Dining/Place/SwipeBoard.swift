import Traffic

/// The swipes that somebody should have left after a meal.
package struct SwipeBoard: PlaceBoard {
    package let plan: SwipePlan
    /// 0 to 10; 10 is finals.
    package let week: Int
    /// 0 for Monday to 6 for Sunday.
    package let day: Int
    package let meal: SwipeMeal
    package let count: SwipeCount
    /// The day that `week` was reckoned from; `nil` where it was named.
    let reckonedDay: CampusDay?

    /// What the app takes the day for, where the week was reckoned from it.
    package var quarter: (day: CampusDay, week: AcademicWeek)? {
        guard let reckonedDay, let week = AcademicWeek(of: reckonedDay) else { return nil }
        return (reckonedDay, week)
    }

    /// That the week is a guess, where it is, without a full stop.
    package var warning: String? {
        guard let reckonedDay, !AcademicWeek.isOfKnownYear(reckonedDay) else { return nil }
        return "The app's quarters begin as in 2014–15 whatever the year (BL-B3), so the week may be wrong"
    }

    /// Writes the question, and `left` with the three parts that it is the sum of.
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
