import Lenses
import Testing

@Suite(.timeLimit(.minutes(15)))
struct SwipeCountTests {
    @Test(
        "Swipes are what the app counts: of the day after the meal, of the week, and of later weeks where they roll over",
        arguments: [
            (.premier19, 0, 0, .breakfast, 208), (.premier19, 0, 0, .lunch, 207), (.premier19, 10, 6, .dinner, 0),
            (.gold19, 0, 0, .breakfast, 18), (.premier19, 0, 0, .dinner, 206), (.premier19, 0, 0, .lateNight, 206),
            (.premier19, 9, 5, .brunch, 22), (.premier14, 0, 0, .breakfast, 153), (.premier14, 10, 0, .lunch, 13),
            (.gold14, 3, 6, .brunch, 1), (.gold14, 3, 6, .dinner, 0), (.cub11, 5, 0, .lunch, 10),
            (.cub11, 5, 1, .lunch, 8), (.cub11, 5, 6, .dinner, 0), (.gold19, 10, 4, .lunch, 5),
        ] as [(SwipePlan, Int, Int, SwipeMeal, Int)]
    )
    func counts(plan: SwipePlan, week: Int, day: Int, meal: SwipeMeal, left: Int) {
        #expect(SwipeCount(plan: plan, week: week, day: day, meal: meal)?.total == left)
    }

    @Test(
        "Weeks and days that there are not have no count",
        arguments: [(-1, 0), (11, 0), (0, 7), (0, -1), (.max, .min)]
    )
    func outside(week: Int, day: Int) {
        for plan in SwipePlan.allCases {
            #expect(SwipeCount(plan: plan, week: week, day: day, meal: .lunch) == nil)
        }
    }

    @Test(
        "The meal of an hour is the app's",
        arguments: zip(
            [0, 3, 4, 11, 12, 16, 17, 20, 21, 23],
            [
                SwipeMeal.lateNight, .lateNight, .breakfast, .breakfast, .lunch, .lunch, .dinner, .dinner, .lateNight,
                .lateNight,
            ]
        )
    )
    func meal(hour: Int, meal: SwipeMeal) { #expect(SwipeMeal(hour: hour) == meal) }

    @Test(
        "Quarters begin in weeks 2, 14 and 41 of the year, and a Sunday is of the week before",
        arguments: [
            ("1/5/15", "Winter 0"), ("1/4/15", nil), ("1/11/15", "Winter 0"), ("1/12/15", "Winter 1"),
            ("3/20/15", "Winter 10"), ("3/22/15", "Winter 10"), ("3/23/15", nil), ("3/30/15", "Spring 0"),
            ("3/29/15", nil), ("5/29/15", "Spring 8"), ("6/12/15", "Spring 10"), ("6/15/15", nil),
            ("10/6/14", "Fall 0"), ("10/5/14", nil), ("12/19/14", "Fall 10"), ("12/28/14", nil), ("7/4/15", nil),
        ] as [(String, String?)]
    )
    func quarter(date: String, week: String?) throws {
        let day = try #require(CampusDay(short: date))
        #expect(AcademicWeek(of: day).map { "\($0.quarter.rawValue) \($0.week)" } == week)
    }

    @Test("Only the academic year 2014–15 is one that the app's quarters are of (B3)")
    func year() throws {
        let days = ["8/31/14", "9/1/14", "8/31/15", "9/1/15", "10/6/26"].compactMap { CampusDay(short: $0) }
        #expect(days.map(AcademicWeek.isOfKnownYear) == [false, true, true, false, false])
    }

    @Test(
        "Plans are known by short name and by title",
        arguments: ["BP19", "bp19", "Bruin Premier 19", "bruin premier19"]
    )
    func plans(name: String) {
        #expect(SwipePlan(named: name) == .premier19)
        #expect(SwipePlan(named: "Cub 11") == .cub11 && SwipePlan(named: "gold 14") == .gold14)
        #expect(SwipePlan(named: "BP20") == nil && SwipePlan(named: "") == nil)
    }
}
