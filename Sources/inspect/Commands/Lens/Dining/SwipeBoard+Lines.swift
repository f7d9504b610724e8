import Foundation
import Lenses
import Traffic

extension SwipeBoard {
    /// The lines to print: the sum first, then its parts, then what the week is good for.
    func lines(_ style: Style) -> [String] {
        let when = "\(CampusTime.weekdays[day]) of week \(week)\(week == 10 ? " (finals)" : "")"
        let number = style.paint("\(count.total)", .bold)
        var lines = [
            "\(number) swipes should be left on the plan \(plan.title) after \(meal.rawValue.lowercased()) on \(when)",
            "  \(count.today) of the same day", "  \(count.restOfWeek) of the rest of the week",
        ]
        let rollover =
            plan.hasRollover
            ? "of the weeks after, which roll over" : "of the weeks after: this plan's end with the week"
        lines.append("  \(count.laterWeeks) \(rollover)")
        if let quarter {
            lines.append(
                "The app takes \(quarter.day.text) for \(quarter.week.title) of \(quarter.week.quarter.rawValue)."
            )
        }
        if let warning { lines.append(style.paint("\(warning); --week names it.", .yellow)) }
        return lines
    }
}
