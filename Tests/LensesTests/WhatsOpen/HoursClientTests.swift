import Foundation
import Lenses
import Testing

@Suite(.timeLimit(.minutes(15)))
struct HoursClientTests {
    @Test(
        "A place that is open past midnight is shown wrong for 1 050 minutes a week by the iPhone app, seven times 120 of them by T1"
    )
    func southside() throws {
        let facility = try CampusSample.facility(CampusSample.overnight)
        let week = try #require(try CampusSample.week(.ios, facility))
        #expect(week.minutesWrong == 1_050)
        #expect(week.causes.map(\.bug) == [.t1, .t2] && week.causes.map(\.minutes) == [7 * 120, 210])
        let saturday = week.stretches.filter { $0.bug == .t2 }
        #expect(saturday.map(\.minutes) == [210] && saturday.map(\.says) == [.open])
        #expect(saturday.first?.start == (try CampusSample.moment("2026-09-19T07:00")))
        #expect(try CampusSample.week(.server, facility)?.minutesWrong == 7)
        #expect(try CampusSample.week(.server, facility)?.causes.map(\.bug) == [.t5])
    }

    @Test("A place that is open past midnight on two days, and later on the second, is shown wrong for 184 minutes")
    func hub() throws {
        let facility = try CampusSample.facility(
            CampusSample.entries(0..<4, "10:00:00", "22:00:00") + [
                CampusSample.entry(4, "10:00:00", 5, "01:00:00"), CampusSample.entry(5, "11:00:00", 6, "01:00:00"),
                CampusSample.entry(6, "11:00:00", 6, "23:59:59"),
            ]
        )
        let week = try #require(try CampusSample.week(.ios, facility))
        #expect(week.minutesWrong == 184)
        #expect(week.causes.map(\.bug) == [.t1, .t2, .t5] && week.causes.map(\.minutes) == [120, 60, 4])
    }

    @Test("An entry that spans a day by mistake is shown wrong for 1 355 minutes")
    func span() throws {
        let facility = try CampusSample.facility(
            CampusSample.entries([0, 1], "11:30:00", "20:00:00") + [CampusSample.entry(2, "11:30:00", 3, "13:00:00")]
                + CampusSample.entries(4..<7, "11:30:00", "20:00:00")
        )
        let week = try #require(try CampusSample.week(.ios, facility))
        #expect(week.minutesWrong == 1_355)
        #expect(week.causes.map(\.bug) == [.t6, .t5] && week.causes.map(\.minutes) == [1_349, 6])
    }

    @Test(
        "Each time bug shows where it is said to",
        arguments: [
            // T3: Sunday's own hours, which begin before Saturday's.
            (CampusSample.overnight.dropLast() + [CampusSample.entry(6, "09:00:00", 0, "02:00:00")], ClientBug.t3, 90),
            // T4: the second sitting.
            (
                CampusSample.entries(0..<5, "11:30:00", "13:00:00")
                    + CampusSample.entries(0..<5, "17:00:00", "19:00:00"), .t4, 600
            ),
        ] as [([String], ClientBug, Int)]
    )
    func bugs(entries: [String], bug: ClientBug, minutes: Int) throws {
        let week = try #require(try CampusSample.week(.ios, try CampusSample.facility(entries)))
        #expect(week.causes.first { $0.bug == bug }?.minutes == minutes)
    }

    @Test("T5: the clients disagree at the moments of opening and closing, and nowhere else")
    func boundaries() throws {
        let facility = try CampusSample.facility(CampusSample.entries([2], "09:00:00", "17:00:00"))
        let answers = { (text: String) in
            try HoursClient.allCases.map { try CampusSample.verdict($0, facility, text).answer }
        }
        #expect(try answers("2026-09-16T08:59:59") == [.closed, .closed, .closed, .closed])
        #expect(try answers("2026-09-16T09:00") == [.open, .closed, .closed, .open])
        #expect(try answers("2026-09-16T09:00:01") == [.open, .open, .open, .open])
        #expect(try answers("2026-09-16T17:00") == [.open, .closed, .closed, .open])
        #expect(try answers("2026-09-16T17:00:00.5") == [.open, .closed, .closed, .closed])
        #expect(try answers("2026-09-16T17:00:01") == [.closed, .closed, .closed, .closed])
        for client in HoursClient.allCases {
            #expect(try CampusSample.week(client, facility)?.causes.map(\.bug) == [.t5])
            #expect(try CampusSample.week(client, facility)?.minutesWrong == 1)
        }
    }

    @Test(
        "Sv1: a day's entry that ends before it starts is never open by the server, and until midnight by the iPhone app"
    )
    func sameDayWrap() throws {
        let facility = try CampusSample.facility(CampusSample.entries([2], "22:00:00", "02:00:00"))
        #expect(try CampusSample.verdict(.server, facility, "2026-09-16T23:00").answer == .closed)
        #expect(
            try CampusSample.verdict(.ios, facility, "2026-09-16T23:59:59")
                == HoursVerdict(.open, text: "Open until 2:00 AM")
        )
        #expect(try CampusSample.verdict(.ios, facility, "2026-09-17T00:30").answer == .closed)
        let server = try #require(try CampusSample.week(.server, facility))
        #expect(server.causes.map(\.bug) == [.sv1] && server.minutesWrong == 240)
    }

    @Test("T8: the iPhone app takes the main schedule's 24 hours while a special schedule is in force")
    func mainAllDay() throws {
        let special = CampusSample.schedule(
            CampusSample.entries(0..<7, "09:00:00", "17:00:00"),
            from: "2026-09-14T00:00:00-04:00",
            to: "2026-09-21T00:00:00-04:00"
        )
        let facility = try CampusSample.facility([], specials: [special], allDay: true)
        #expect(try CampusSample.status(facility, "2026-09-16T20:00").isOpen == false)
        #expect(
            try CampusSample.verdict(.ios, facility, "2026-09-16T20:00")
                == HoursVerdict(.open, text: "Open until 11:59 PM")
        )
        #expect(try CampusSample.week(.ios, facility)?.causes.first?.bug == .t8)
    }

    @Test("T9: closed is until today's opening, even when that is past")
    func closedUntil() throws {
        let facility = try CampusSample.facility(CampusSample.entries([2], "07:00:00", "17:00:00"))
        #expect(
            try CampusSample.verdict(.ios, facility, "2026-09-16T21:00")
                == HoursVerdict(.closed, text: "Closed until 7:00 AM")
        )
    }

    @Test("T12: midnight exactly is not after midnight, the second after it is")
    func midnight() throws {
        // Where the start is midnight too, the strict bound decides: an entry to 00:00:00 of the day before would not show it.
        let facility = try CampusSample.facility(CampusSample.entries([2], "00:00:00", "00:30:00"))
        #expect(try CampusSample.verdict(.ios, facility, "2026-09-16T00:00").answer == .open)
        #expect(try CampusSample.verdict(.web, facility, "2026-09-16T00:00").answer == .closed)
    }

    /// That a client does not come to answer.
    private func crash(_ bug: ClientBug) -> HoursVerdict {
        var verdict = HoursVerdict(.crash)
        verdict.bug = bug
        return verdict
    }

    @Test(
        "T7, T10, T11: what the iPhone app forces open makes it crash",
        arguments: [
            (CampusSample.json(specials: [CampusSample.schedule(name: "L")]), ClientBug.t10, true),
            (CampusSample.json(specials: [CampusSample.schedule(from: "", to: "")]), .t10, true),
            (
                CampusSample.json(specials: [
                    CampusSample.schedule(from: "2026-10-01T00:00:00.5-04:00", to: "2026-10-02T00:00:00-04:00")
                ]), .t10, false
            ),
            (
                CampusSample.json(specials: [
                    CampusSample.schedule(from: "2026-10-01T00:00:00", to: "2026-10-02T00:00:00")
                ]), .t10, false
            ),
            (CampusSample.json(main: "null"), .t11, false),
            (CampusSample.json(main: CampusSample.schedule(CampusSample.entries(0..<7, "7:00", "9 pm"))), .t7, false),
        ] as [(String, ClientBug, Bool)]
    )
    func crashes(json: String, bug: ClientBug, isAndroidToo: Bool) throws {
        let facility = try CampusSample.facility(json: json)
        #expect(try CampusSample.verdict(.ios, facility, "2026-09-16T12:00") == crash(bug))
        #expect(try CampusSample.week(.ios, facility)?.crash == bug)
        if isAndroidToo { #expect(try CampusSample.verdict(.android, facility, "2026-09-16T12:00") == crash(.a2)) }
    }

    @Test("A special in force before a broken one keeps the iPhone app alive")
    func order() throws {
        let good = CampusSample.schedule(
            from: "2026-09-14T00:00:00-04:00",
            to: "2026-09-20T00:00:00-04:00",
            allDay: true
        )
        let facility = try CampusSample.facility([], specials: [good, CampusSample.schedule()])
        #expect(try CampusSample.verdict(.ios, facility, "2026-09-16T12:00").answer == .open)
        #expect(try CampusSample.verdict(.ios, facility, "2026-09-25T12:00") == crash(.t10))
    }

    @Test("A1: the Android app reads a special's dates without their times")
    func androidDates() throws {
        let special = CampusSample.schedule(from: "2026-09-16T12:00:00-04:00", to: "2026-09-16T23:59:59-04:00")
        let facility = try CampusSample.facility(CampusSample.entries([2], "09:00:00", "17:00:00"), specials: [special])
        #expect(try CampusSample.status(facility, "2026-09-16T13:00").isOpen == false)
        #expect(try CampusSample.verdict(.android, facility, "2026-09-16T13:00").answer == .open)
        #expect(try CampusSample.week(.android, facility)?.causes.first?.bug == .a1)
    }

    @Test("The week of a clock change has an hour more or less, and every minute of it is judged")
    func clockChangeWeek() throws {
        let facility = try CampusSample.facility(CampusSample.overnight)
        #expect(try CampusSample.week(.ios, facility, "2026-03-05T12:00")?.causes.first?.minutes == 7 * 120 - 0)
        let autumn = try #require(try CampusSample.week(.ios, facility, "2026-10-29T12:00"))
        #expect(autumn.causes.first?.bug == .t1 && autumn.causes.first?.minutes == 7 * 120 + 60)
    }

    @Test("A comparison cut into stretches says what asking minute by minute says")
    func everyMinute() throws {
        let special = CampusSample.schedule(
            CampusSample.entries([3], "12:00:00", "13:30:00"),
            from: "2026-11-05T00:00:00-05:00",
            to: "2026-11-06T06:30:00-05:00"
        )
        let facility = try CampusSample.facility(
            CampusSample.overnight + CampusSample.entries([2], "03:00:10", "03:20:30"),
            specials: [special]
        )
        for week in ["2026-09-16T12:00", "2026-11-01T12:00", "2026-11-05T12:00", "2026-03-08T12:00"] {
            let now = try CampusSample.moment(week)
            let clock = CampusClock(CampusSample.zone, around: now)
            let hours = OpeningHours(facility, around: now, clock: clock)
            let local = clock.local(now)
            let start = clock.date(day: local.day - local.weekday)
            let minutes = Int(clock.date(day: local.day - local.weekday + 7).timeIntervalSince(start) / 60)
            for client in HoursClient.allCases {
                var wrong = 0
                for minute in 0..<minutes {
                    let date = start.addingTimeInterval(Double(minute) * 60)
                    let isOpen = hours.intervals.contains { $0.contains(date) }
                    let answer = client.verdict(of: facility, at: clock.local(date), clock: clock).answer
                    if (answer == .open) != isOpen { wrong += 1 }
                }
                #expect(
                    WeekComparison.comparing([client], hours, at: now).first?.minutesWrong == wrong,
                    "\(client) \(week)"
                )
            }
        }
    }
}
