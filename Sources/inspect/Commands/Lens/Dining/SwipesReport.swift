import Lenses

/// What `inspect menus swipes` shows: the sum of the swipes, its parts, and which week of the quarter the app counts.
struct SwipesReport: BoardReport {
    let board: SwipeBoard

    func lines(in layout: Layout) -> [String] {
        let (style, plan, count) = (layout.style, board.plan, board.count)
        let when = "\(CampusTime.weekdays[board.day]) of week \(board.week)\(board.week == 10 ? " (finals)" : "")"
        let number = style.paint("\(count.total)", .bold)
        var lines = [
            "\(number) swipes should be left on the plan \(plan.title) after \(board.meal.rawValue.lowercased()) on \(when)",
            "  \(count.today) of the same day", "  \(count.restOfWeek) of the rest of the week",
        ]
        let rollover =
            plan.hasRollover
            ? "of the weeks after, which roll over" : "of the weeks after: this plan's end with the week"
        lines.append("  \(count.laterWeeks) \(rollover)")
        if let quarter = board.quarter {
            lines.append(
                "The app takes \(quarter.day.text) for \(quarter.week.title) of \(quarter.week.quarter.rawValue)."
            )
        }
        if let warning = board.warning { lines.append(style.paint("\(warning); --week names it.", .yellow)) }
        return lines
    }
}
