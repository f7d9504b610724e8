import Foundation
import Lenses
import Testing

@Suite(.timeLimit(.minutes(15)))
struct OpeningHoursTests {
    @Test(
        "A facility that closes at two in the morning, through weeks and clock changes",
        arguments: [
            ("2026-09-14T06:59", false, true, nil, "2026-09-14T07:00"),
            ("2026-09-14T07:00", true, true, "2026-09-15T02:00", "2026-09-15T07:00"),
            ("2026-09-15T01:59", true, true, "2026-09-15T02:00", "2026-09-15T07:00"),
            ("2026-09-15T02:00", false, true, nil, "2026-09-15T07:00"),
            ("2026-09-19T08:00", false, true, nil, "2026-09-19T10:30"),
            ("2026-09-20T15:00", true, true, "2026-09-21T02:00", "2026-09-21T07:00"),
            ("2026-03-08T06:30:00Z", true, true, "2026-03-08T03:00:00-04:00", "2026-03-08T10:30"),
            ("2026-11-01T06:30:00Z", true, true, "2026-11-01T02:00:00-05:00", "2026-11-01T10:30"),
            ("2026-11-01T07:00:00Z", false, true, nil, "2026-11-01T10:30"),
        ] as [(String, Bool, Bool, String?, String?)]
    )
    func overnight(now: String, isOpen: Bool, isOpenToday: Bool, closes: String?, opensNext: String?) throws {
        let status = try CampusSample.status(try CampusSample.facility(CampusSample.overnight), now)
        #expect(status.isOpen == isOpen)
        #expect(status.isOpenToday == isOpenToday)
        #expect(status.closes == (try closes.map { try CampusSample.moment($0) }))
        #expect(status.opensNext == (try opensNext.map { try CampusSample.moment($0) }))
    }

    /// What a row of the tables below is: entries, specials, the moment, open, closes, opens next.
    typealias Row = ([String], [String], String, Bool, String?, String?)

    @Test(
        "Entries of every kind become the intervals that they mean",
        arguments: [
            // B: one in the morning on Friday and Saturday only.
            (
                CampusSample.entries(0..<4, "11:00:00", "22:00:00") + [
                    CampusSample.entry(4, "11:00:00", 5, "01:00:00")
                ], [], "2026-09-18T23:30", true, "2026-09-19T01:00", "2026-09-21T11:00"
            ),
            // D: midnight to midnight is closed all day.
            (
                CampusSample.entries([0], "00:00:00", "00:00:00") + CampusSample.entries([1], "09:00:00", "10:00:00"),
                [], "2026-09-14T12:00", false, nil, "2026-09-15T09:00"
            ),
            // F: an entry that spans a day by mistake.
            (
                [CampusSample.entry(2, "11:30:00", 3, "13:00:00")], [], "2026-09-17T09:00", true, "2026-09-17T13:00",
                "2026-09-23T11:30"
            ),
            // G: 23:59:59 every day means around the clock.
            (CampusSample.entries(0..<7, "00:00:00", "23:59:59"), [], "2026-09-16T23:59:59", true, nil, nil),
            // H: 23:59 stays what it is where nothing follows; the gap of a minute is closed where something does.
            (
                CampusSample.entries(0..<7, "06:00:00", "23:59:00"), [], "2026-09-16T23:58", true, "2026-09-16T23:59",
                "2026-09-17T06:00"
            ),
            (
                CampusSample.entries([2], "06:00:00", "23:59:00") + CampusSample.entries([3], "00:00:00", "03:00:00"),
                [], "2026-09-16T23:59:30", true, "2026-09-17T03:00", "2026-09-23T06:00"
            ),
            // A gap of 61 seconds is one.
            (
                CampusSample.entries([2], "06:00:00", "12:00:00") + CampusSample.entries([2], "12:01:01", "13:00:00"),
                [], "2026-09-16T11:00", true, "2026-09-16T12:00", "2026-09-16T12:01:01"
            ),
            // I: two sittings.
            (
                CampusSample.entries([2], "11:30:00", "13:00:00") + CampusSample.entries([2], "17:00:00", "19:00:00"),
                [], "2026-09-16T14:00", false, nil, "2026-09-16T17:00"
            ),
            // J: the same day, ending before it starts.
            (
                CampusSample.entries([2], "22:00:00", "02:00:00"), [], "2026-09-17T01:00", true, "2026-09-17T02:00",
                "2026-09-23T22:00"
            ),
            // K: no opening times.
            ([], [], "2026-09-16T12:00", false, nil, nil),
            // L: a special without dates is never in force.
            (
                CampusSample.entries([2], "09:00:00", "17:00:00"),
                [CampusSample.schedule(CampusSample.entries([2], "01:00:00", "02:00:00"))], "2026-09-16T12:00", true,
                "2026-09-16T17:00", "2026-09-23T09:00"
            ),
            // P: one that is past is not either.
            (
                CampusSample.entries([2], "09:00:00", "17:00:00"),
                [CampusSample.schedule(from: "2026-06-01T00:00:00-04:00", to: "2026-06-08T00:00:00-04:00")],
                "2026-09-16T12:00", true, "2026-09-16T17:00", "2026-09-23T09:00"
            ),
            // Sunday into Tuesday, from within the next week.
            (
                [CampusSample.entry(6, "20:00:00", 1, "04:00:00")], [], "2026-09-22T03:00", true, "2026-09-22T04:00",
                "2026-09-27T20:00"
            ),
        ] as [Row]
    )
    func kinds(row: Row) throws { try expect(row, isTwentyFourHours: false) }

    @Test(
        "A special schedule replaces the main one within its window, and what comes next is looked for across the switch",
        arguments: [
            // The main schedule's night is cut off where the special begins, which is closed.
            (
                CampusSample.overnight,
                [CampusSample.schedule(from: "2026-09-16T00:00:00-04:00", to: "2026-09-17T00:00:00-04:00")],
                "2026-09-15T20:00", true, "2026-09-16T00:00", "2026-09-17T00:00"
            ),
            // It goes on where the special is open there too.
            (
                CampusSample.overnight,
                [
                    CampusSample.schedule(
                        from: "2026-09-16T00:00:00-04:00",
                        to: "2026-09-17T00:00:00-04:00",
                        allDay: true
                    )
                ], "2026-09-15T20:00", true, "2026-09-17T02:00", "2026-09-17T07:00"
            ),
            // E: around the clock during finals, up to their end.
            (
                CampusSample.entries(0..<5, "09:00:00", "17:00:00"),
                [
                    CampusSample.schedule(
                        from: "2026-09-14T00:00:00-04:00",
                        to: "2026-09-16T12:00:00-04:00",
                        allDay: true
                    )
                ], "2026-09-15T03:00", true, "2026-09-16T17:00", "2026-09-17T09:00"
            ),
            // D in force: closed though the main schedule is open.
            (
                CampusSample.entries(0..<7, "09:00:00", "17:00:00"),
                [
                    CampusSample.schedule(
                        CampusSample.entries(0..<7, "00:00:00", "00:00:00"),
                        from: "2026-09-14T00:00:00-04:00",
                        to: "2026-09-16T00:00:00-04:00"
                    )
                ], "2026-09-15T12:00", false, nil, "2026-09-16T09:00"
            ),
            // Both ends of the window count.
            (
                CampusSample.entries(0..<7, "09:00:00", "17:00:00"),
                [CampusSample.schedule(from: "2026-09-14T00:00:00-04:00", to: "2026-09-15T12:00:00-04:00")],
                "2026-09-15T12:00", false, nil, "2026-09-15T12:00"
            ),
            // The first in force wins, as they came.
            (
                CampusSample.entries(0..<7, "09:00:00", "17:00:00"),
                [
                    CampusSample.schedule(allDay: true),
                    CampusSample.schedule(
                        CampusSample.entries([1], "10:00:00", "11:00:00"),
                        name: "A",
                        from: "2026-09-14T00:00:00-04:00",
                        to: "2026-09-20T00:00:00-04:00"
                    ),
                    CampusSample.schedule(
                        name: "B",
                        from: "2026-09-14T00:00:00-04:00",
                        to: "2026-09-20T00:00:00-04:00",
                        allDay: true
                    ),
                ], "2026-09-15T10:30", true, "2026-09-15T11:00", "2026-09-20T09:00"
            ),
            // A window the wrong way round is none.
            (
                CampusSample.entries(0..<7, "09:00:00", "17:00:00"),
                [
                    CampusSample.schedule(
                        from: "2026-09-20T00:00:00-04:00",
                        to: "2026-09-14T00:00:00-04:00",
                        allDay: true
                    )
                ], "2026-09-15T12:00", true, "2026-09-15T17:00", "2026-09-16T09:00"
            ),
        ] as [Row]
    )
    func specials(row: Row) throws { try expect(row, isTwentyFourHours: false) }

    @Test("C: what is open 24 hours neither closes nor opens, until a special schedule says so")
    func allDay() throws {
        try expect(([], [], "2026-09-16T12:00", true, nil, nil), isTwentyFourHours: true)
        let closed = CampusSample.schedule(from: "2026-09-18T00:00:00-04:00", to: "2026-09-19T00:00:00-04:00")
        try expect(
            ([], [closed], "2026-09-16T12:00", true, "2026-09-18T00:00", "2026-09-19T00:00"),
            isTwentyFourHours: true
        )
    }

    @Test(
        "Hours that a clock change skips or repeats",
        arguments: [
            // 02:30 does not come on 8 March: what closes then closes when the clock is past it.
            (
                [CampusSample.entry(5, "20:00:00", 6, "02:30:00")], [], "2026-03-08T06:45:00Z", true,
                "2026-03-08T07:00:00Z", "2026-03-14T20:00"
            ),
            // What opens in the gap opens at its end.
            (
                CampusSample.entries([6], "02:30:00", "05:00:00"), [], "2026-03-08T06:45:00Z", false, nil,
                "2026-03-08T07:00:00Z"
            ),
            // What lies in the gap whole is not.
            (
                CampusSample.entries([6], "02:10:00", "02:50:00"), [], "2026-03-08T06:45:00Z", false, nil,
                "2026-03-15T02:10"
            ),
            // 01:30 comes twice on 1 November: the first one counts.
            (
                [CampusSample.entry(5, "20:00:00", 6, "01:30:00")], [], "2026-11-01T05:00:00Z", true,
                "2026-11-01T05:30:00Z", "2026-11-07T20:00"
            ),
            (
                [CampusSample.entry(5, "20:00:00", 6, "01:30:00")], [], "2026-11-01T06:10:00Z", false, nil,
                "2026-11-07T20:00"
            ),
            // A day of 25 hours, open whole.
            (
                CampusSample.entries([6], "00:00:00", "23:59:59"), [], "2026-11-01T12:00", true, "2026-11-01T23:59:59",
                "2026-11-08T00:00"
            ),
        ] as [Row]
    )
    func clockChanges(row: Row) throws { try expect(row, isTwentyFourHours: false) }

    @Test("Another zone than the campus's reads the same hours by its own clock")
    func otherZone() throws {
        let zone = try #require(TimeZone(identifier: "Pacific/Auckland"))
        let now = try CampusSample.moment("2026-09-15T01:00", in: zone)
        let clock = CampusClock(zone, around: now)
        let status = OpeningHours(try CampusSample.facility(CampusSample.overnight), around: now, clock: clock).status(
            at: now
        )
        #expect(status.closes.map(clock.timestamp) == "2026-09-15T02:00:00+12:00")
        #expect(status.opensNext.map(clock.timestamp) == "2026-09-15T07:00:00+12:00")
    }

    @Test("A clock says what a zone's calendar says, for a year of moments")
    func clockAgrees() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = CampusSample.zone
        for day in stride(from: 0, to: 366, by: 3) {
            let date = try CampusSample.moment("2026-01-01T00:00:00Z").addingTimeInterval(Double(day) * 86_400 + 24_753)
            let clock = CampusClock(CampusSample.zone, around: date)
            let local = clock.local(date)
            let parts = calendar.dateComponents([.weekday, .hour, .minute, .second], from: date)
            #expect((local.weekday + 1) % 7 + 1 == parts.weekday)
            #expect(local.second == (parts.hour ?? 0) * 3600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0))
            #expect(clock.date(day: local.day, second: local.second) == date)
            #expect(clock.date(day: local.day) == calendar.startOfDay(for: date))
        }
    }

    private func expect(_ row: Row, isTwentyFourHours: Bool) throws {
        let (entries, specials, now, isOpen, closes, opensNext) = row
        let facility = try CampusSample.facility(entries, specials: specials, allDay: isTwentyFourHours)
        let status = try CampusSample.status(facility, now)
        #expect(status.isOpen == isOpen, "\(now)")
        #expect(status.closes == (try closes.map { try CampusSample.moment($0) }), "\(now)")
        #expect(status.opensNext == (try opensNext.map { try CampusSample.moment($0) }), "\(now)")
    }

    @Test("What is open over several nights is open on the first days of the week too, seen from its last day")
    func longWeekend() throws {
        let facility = try CampusSample.facility([CampusSample.entry(4, "17:00:00", 1, "08:00:00")])
        let now = try CampusSample.moment("2026-09-20T12:00")
        let clock = CampusClock(CampusSample.zone, around: now)
        let hours = OpeningHours(facility, around: now, clock: clock)
        for day in ["2026-09-14T12:00", "2026-09-15T12:00"] {
            let day = clock.local(try CampusSample.moment(day)).day
            #expect(hours.intervals(on: day).map(\.end) == [try CampusSample.moment("2026-09-15T08:00")])
        }
        // All that the server says otherwise is the last minute.
        #expect(try CampusSample.week(.server, facility, "2026-09-20T12:00")?.minutesWrong == 1)
    }
}
