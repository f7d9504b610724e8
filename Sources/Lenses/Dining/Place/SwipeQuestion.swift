package import Foundation

/// A question for the swipes that are left on a plan after a meal; no capture is needed to answer it.
package struct SwipeQuestion: Sendable {
    /// The options of the place.
    package static let options: Set<String> = ["plan", "week", "day", "meal", "at"]

    private let plan: SwipePlan
    /// The week; `nil` where none was named and the day is between quarters.
    private let week: Int?
    /// The day of the week, 0 (Monday) to 6 (Sunday).
    private let day: Int
    private let meal: SwipeMeal
    /// Today on campus.
    private let today: CampusDay
    /// Whether the week was named, not worked out from the day.
    private let isWeekNamed: Bool

    /// Reads the options of a question; the moment gives what is missing.
    ///
    /// - Parameters:
    ///   - options: the options of the place.
    ///   - now: the moment where no other is asked for.
    /// - Throws: `PlaceProblem` for a question that makes no sense.
    package init(_ options: PlaceOptions, now: Date) throws(PlaceProblem) {
        let moment = try MomentQuestion(options, usual: CampusTime.zone.identifier, now: now).now
        today = CampusDay(moment)
        plan = try SwipePlan.asked(options)
        let named = try SwipeQuestion.week(options)
        isWeekNamed = named != nil
        week = named ?? AcademicWeek(of: today)?.week
        day = try SwipeQuestion.day(options) ?? today.weekday
        let hour = CampusTime.calendar.component(.hour, from: moment)
        meal = try SwipeMeal.asked(options) ?? SwipeMeal(hour: hour)
    }

    /// Counts the swipes.
    ///
    /// - Throws: `PlaceProblem.noQuarter` where the day is between quarters and no week was named.
    package func answer() throws(PlaceProblem) -> SwipeBoard {
        guard let week, let count = SwipeCount(plan: plan, week: week, day: day, meal: meal) else {
            throw .noQuarter(today)
        }
        return SwipeBoard(
            plan: plan,
            week: week,
            day: day,
            meal: meal,
            count: count,
            reckonedDay: isWeekNamed ? nil : today
        )
    }

    private static func week(_ options: PlaceOptions) throws(PlaceProblem) -> Int? {
        guard let text = options.value("week") else { return nil }
        guard let week = Int(text), SwipeCount.weeks.contains(week) else {
            throw .value(option: "week", given: text, expectation: "expected 0 to 10, where 10 is finals")
        }
        return week
    }

    private static func day(_ options: PlaceOptions) throws(PlaceProblem) -> Int? {
        guard let text = options.value("day") else { return nil }
        if let number = Int(text), (0...6).contains(number) { return number }
        guard let weekday = DayName.weekday(text) else {
            throw .value(option: "day", given: text, expectation: "expected a weekday such as wed, or 0 (Monday) to 6")
        }
        return weekday
    }
}

extension SwipePlan {
    /// Reads the plan that the option `plan` names.
    ///
    /// - Throws: `PlaceProblem` for an unknown plan, or where none is named.
    fileprivate static func asked(_ options: PlaceOptions) throws(PlaceProblem) -> SwipePlan {
        guard let text = options.value("plan") else { throw .missing(option: "plan") }
        guard let plan = SwipePlan(named: text) else {
            let names = allCases.map(\.rawValue).joined(separator: ", ")
            throw .value(option: "plan", given: text, expectation: "expected one of \(names)")
        }
        return plan
    }
}

extension SwipeMeal {
    /// Reads the meal that the option `meal` names; `nil` without that option.
    ///
    /// - Throws: `PlaceProblem.value` for an unknown meal.
    fileprivate static func asked(_ options: PlaceOptions) throws(PlaceProblem) -> SwipeMeal? {
        guard let text = options.value("meal") else { return nil }
        guard let meal = SwipeMeal(named: text) else {
            throw .value(
                option: "meal",
                given: text,
                expectation: "expected breakfast, brunch, lunch, dinner or late-night"
            )
        }
        return meal
    }
}
