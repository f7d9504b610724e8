import Foundation
import Lenses
import Traffic

/// The swipes that should be left as lines, and as JSON.
struct SwipePrinter {
    private let question: SwipeQuestion
    private let week: Int
    private let count: SwipeCount

    /// - Throws: `InputError` when the day is between quarters and no week was named.
    init(_ question: SwipeQuestion) throws {
        guard let week = question.week,
            let count = SwipeCount(plan: question.plan, week: week, day: question.day, meal: question.meal)
        else {
            let day = question.date?.text ?? "the day"
            throw InputError("\(day) is in no quarter of the app's calendar; name the week with --week 0 to 10")
        }
        self.question = question
        self.week = week
        self.count = count
    }

    /// The sum first, then its parts, then what the week is good for.
    func lines(style: Style) -> [String] {
        let when = "\(CampusTime.weekdays[question.day]) of week \(week)\(week == 10 ? " (finals)" : "")"
        let number = style.paint("\(count.total)", .bold)
        var lines = [
            "\(number) swipes should be left on the plan \(question.plan.title) after \(question.meal.rawValue.lowercased()) on \(when)",
            "  \(count.today) of the same day", "  \(count.restOfWeek) of the rest of the week",
        ]
        let rollover =
            question.plan.hasRollover
            ? "of the weeks after, which roll over" : "of the weeks after: this plan's end with the week"
        lines.append("  \(count.laterWeeks) \(rollover)")
        if let quarter {
            lines.append(
                "The app takes \(quarter.day.text) for \(quarter.week.title) of \(quarter.week.quarter.rawValue)."
            )
        }
        if let warning { lines.append(style.paint(warning, .yellow)) }
        return lines
    }

    private var quarter: (day: CampusDay, week: AcademicWeek)? {
        guard let day = question.date, let week = AcademicWeek(of: day) else { return nil }
        return (day, week)
    }

    /// That the week is a guess, where it is.
    private var warning: String? {
        guard let day = question.date, !AcademicWeek.isOfKnownYear(day) else { return nil }
        return
            "The app's quarters begin as in 2014–15 whatever the year (BL-B3), so the week may be wrong; --week names it."
    }

    /// One object; `left` is the sum of the three parts.
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.string("plan", question.plan.rawValue)
            json.integer("week", week)
            json.integer("day", question.day)
            json.string("dayName", CampusTime.weekdays[question.day])
            json.string("meal", question.meal.rawValue)
            json.integer("left", count.total)
            json.integer("today", count.today)
            json.integer("restOfWeek", count.restOfWeek)
            json.integer("laterWeeks", count.laterWeeks)
            json.string("quarter", quarter?.week.quarter.rawValue)
            json.string("warning", warning)
        }
        json.newline()
        return json.take()
    }
}
