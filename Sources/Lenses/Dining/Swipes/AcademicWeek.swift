import Foundation

/// A week of a quarter, by the app's calendar of 2014–15.
package struct AcademicWeek: Sendable, Equatable {
    /// A quarter, and the week of the year in which its lectures begin.
    package enum Quarter: String, Sendable, CaseIterable {
        case winter = "Winter"
        case spring = "Spring"
        case fall = "Fall"

        var firstWeekOfYear: Int {
            switch self {
            case .winter: 2
            case .spring: 14
            case .fall: 41
            }
        }
    }

    package let quarter: Quarter
    /// The week of the quarter, 0 to 10; 10 is finals.
    package let week: Int

    /// Finds the week of a day; `nil` between quarters, where the app assumes week 0 of no quarter.
    ///
    /// The calendar's weeks begin on Sunday and the app's on Monday, so a Sunday counts as of the week before.
    package init?(of day: CampusDay) {
        let counted = day.weekday == 6 ? day.adding(days: -7) : day
        let weekOfYear = CampusTime.calendar.component(.weekOfYear, from: counted.midday)
        for quarter in Quarter.allCases {
            let week = weekOfYear - quarter.firstWeekOfYear
            if SwipeCount.weeks.contains(week) {
                (self.quarter, self.week) = (quarter, week)
                return
            }
        }
        return nil
    }

    /// The app's name of the week: `Week One`, `Finals Week`.
    package var title: String { Self.titles.indices.contains(week) ? Self.titles[week] : "Week \(week + 1)" }

    private static let titles = [
        "Week One", "Week Two", "Week Three", "Week Four", "Week Five", "Week Six", "Week Seven", "Week Eight",
        "Week Nine", "Week Ten", "Finals Week",
    ]

    /// Whether a day is in the academic year of the app's calendar.
    package static func isOfKnownYear(_ day: CampusDay) -> Bool {
        (day.year == 2014 && day.month >= 9) || (day.year == 2015 && day.month <= 8)
    }
}
