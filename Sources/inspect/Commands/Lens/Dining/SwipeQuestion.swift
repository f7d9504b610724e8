import ArgumentParser
import Foundation
import Lenses

/// Whose swipes are asked about, and after which meal.
struct SwipeQuestion {
    let plan: SwipePlan
    /// `nil` where none was named and the day is between quarters.
    let week: Int?
    /// 0 for Monday to 6 for Sunday.
    let day: Int
    let meal: SwipeMeal
    /// The day that `week` was reckoned from; `nil` where it was named.
    let date: CampusDay?

    /// Reads the options; what is missing is taken from a moment.
    ///
    /// - Throws: `ValidationError` naming what was expected.
    init(plan: String, week: Int?, day: String?, meal: String?, moment: Date) throws {
        guard let plan = SwipePlan(named: plan) else {
            let names = SwipePlan.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--plan \(plan): expected one of \(names)")
        }
        self.plan = plan
        let today = CampusDay(moment)
        date = week == nil ? today : nil
        self.week = week ?? AcademicWeek(of: today)?.week
        if let day {
            let number = Int(day).flatMap { (0...6).contains($0) ? $0 : nil }
            guard let weekday = number ?? DayName.weekday(day) else {
                throw ValidationError("--day \(day): expected a weekday such as wed, or 0 (Monday) to 6")
            }
            self.day = weekday
        } else {
            self.day = today.weekday
        }
        if let meal {
            guard let named = SwipeMeal(named: meal) else {
                throw ValidationError("--meal \(meal): expected breakfast, brunch, lunch, dinner or late-night")
            }
            self.meal = named
        } else {
            self.meal = SwipeMeal(hour: CampusTime.calendar.component(.hour, from: moment))
        }
    }
}
