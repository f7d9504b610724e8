import Foundation
import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct MeetingTimeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let weekday: Int
        let start: Int
        let zone: String
        let now: String
        let next: String
        let local: (weekday: Int, clock: Int)
        var viewer = "America/New_York"

        var testDescription: String { "\(weekday) \(start) \(zone) at \(now)" }
    }

    static let rows = [
        // The reference's vectors.
        Row(
            weekday: 7,
            start: 2330,
            zone: "Pacific/Auckland",
            now: "2026-09-14T16:00:00Z",
            next: "2026-09-19T11:30:00Z",
            local: (7, 730)
        ),
        Row(
            weekday: 1,
            start: 800,
            zone: "Asia/Tokyo",
            now: "2026-09-14T16:00:00Z",
            next: "2026-09-19T23:00:00Z",
            local: (7, 1900)
        ),
        Row(
            weekday: 2,
            start: 30,
            zone: "Europe/London",
            now: "2026-09-14T16:00:00Z",
            next: "2026-09-20T23:30:00Z",
            local: (1, 1930)
        ),
        Row(
            weekday: 2,
            start: 1130,
            zone: "America/New_York",
            now: "2026-10-26T16:00:00Z",
            next: "2026-11-02T16:30:00Z",
            local: (2, 1130)
        ),
        Row(
            weekday: 2,
            start: 1130,
            zone: "America/New_York",
            now: "2026-09-14T16:00:00Z",
            next: "2026-09-21T15:30:00Z",
            local: (2, 1130)
        ),
        // One that starts now has started: the next is a week later.
        Row(
            weekday: 2,
            start: 1200,
            zone: "America/New_York",
            now: "2026-09-14T16:00:00Z",
            next: "2026-09-21T16:00:00Z",
            local: (2, 1200)
        ),
        Row(
            weekday: 2,
            start: 1201,
            zone: "America/New_York",
            now: "2026-09-14T16:00:00Z",
            next: "2026-09-14T16:01:00Z",
            local: (2, 1201)
        ),
        // Europe's clocks go back a week before America's: for that week London is four hours ahead.
        Row(
            weekday: 2,
            start: 1900,
            zone: "Europe/London",
            now: "2026-10-24T12:00:00Z",
            next: "2026-10-26T19:00:00Z",
            local: (2, 1500)
        ),
        Row(
            weekday: 2,
            start: 1900,
            zone: "Europe/London",
            now: "2026-11-01T12:00:00Z",
            next: "2026-11-02T19:00:00Z",
            local: (2, 1400)
        ),
        // 02:30 is left out on 2026-03-08 in New York, and comes as 03:30.
        Row(
            weekday: 1,
            start: 230,
            zone: "America/New_York",
            now: "2026-03-07T12:00:00Z",
            next: "2026-03-08T07:30:00Z",
            local: (1, 330)
        ),
        // 01:30 comes twice on 2026-11-01, and the first counts.
        Row(
            weekday: 1,
            start: 130,
            zone: "America/New_York",
            now: "2026-10-31T12:00:00Z",
            next: "2026-11-01T05:30:00Z",
            local: (1, 130)
        ),
        Row(
            weekday: 1,
            start: 130,
            zone: "America/New_York",
            now: "2026-11-01T05:30:00Z",
            next: "2026-11-08T06:30:00Z",
            local: (1, 130)
        ),
        // Lord Howe moves by half an hour; Kathmandu and Chatham are off by quarters.
        Row(
            weekday: 1,
            start: 215,
            zone: "Australia/Lord_Howe",
            now: "2026-10-03T00:00:00Z",
            next: "2026-10-03T15:45:00Z",
            local: (7, 1145)
        ),
        Row(
            weekday: 3,
            start: 1815,
            zone: "Asia/Kathmandu",
            now: "2026-02-27T00:00:00Z",
            next: "2026-03-03T12:30:00Z",
            local: (3, 730)
        ),
        Row(
            weekday: 4,
            start: 0,
            zone: "Pacific/Chatham",
            now: "2026-12-30T00:00:00Z",
            next: "2027-01-05T10:15:00Z",
            local: (3, 515)
        ),
        // Over the ends of a month, of a leap February and of a year; the viewer ahead of everybody.
        Row(
            weekday: 1,
            start: 900,
            zone: "Asia/Tokyo",
            now: "2028-02-28T00:00:00Z",
            next: "2028-03-05T00:00:00Z",
            local: (1, 1400),
            viewer: "Pacific/Kiritimati"
        ),
        Row(
            weekday: 6,
            start: 2300,
            zone: "Pacific/Honolulu",
            now: "2026-12-31T12:00:00Z",
            next: "2027-01-02T09:00:00Z",
            local: (7, 2300),
            viewer: "Pacific/Kiritimati"
        ),
    ]

    @Test("The next start is found in the meeting's zone, and day and clock in the viewer's", arguments: rows)
    func next(_ row: Row) throws {
        let own = WallClock(try #require(TimeZone(identifier: row.zone)))
        let viewer = WallClock(try #require(TimeZone(identifier: row.viewer)))
        let time = MeetingTime(
            weekday: row.weekday,
            start: row.start / 100 * 3600 + row.start % 100 * 60,
            in: own,
            now: try seconds(row.now),
            viewer: viewer
        )
        #expect(time.next == (try seconds(row.next)))
        #expect(time.weekday == row.local.weekday && time.clock == row.local.clock)
        // A calendar week before, by the meeting's own clocks, unless these leave the time out.
        if ![215, 230].contains(row.start) {
            #expect(own.wall(at: time.next) - own.wall(at: time.previous) == 7 * 86_400)
        }
    }

    @Test("In progress is from a start to the end, which is out; before it a calendar week counts, not 604,800 seconds")
    func inProgress() throws {
        let newYork = WallClock(try #require(TimeZone(identifier: "America/New_York")))
        for now in ["2026-10-26T16:00:00Z", "2026-09-14T16:00:00Z"] {
            let moment = try seconds(now)
            let time = MeetingTime(weekday: 2, start: 41_400, in: newYork, now: moment, viewer: newYork)
            #expect(time.isInProgress(at: Double(moment), seconds: 5400))
            #expect(time.previous == moment - 1800)
            #expect(time.isInProgress(at: Double(time.previous), seconds: 1))
            #expect(!time.isInProgress(at: Double(time.previous) - 0.001, seconds: 5400))
            #expect(time.isInProgress(at: Double(time.previous) + 5399.999, seconds: 5400))
            #expect(!time.isInProgress(at: Double(time.previous) + 5400, seconds: 5400))
            #expect(!time.isInProgress(at: Double(time.previous), seconds: 0))
        }
    }

    @Test("Every start of every zone, at moments round its changes of clocks, is the one that a calendar finds")
    func agreesWithCalendar() throws {
        var checked = 0
        for name in [
            "America/New_York", "Europe/London", "Australia/Lord_Howe", "America/St_Johns", "Africa/Casablanca", "UTC",
        ] {
            let zone = try #require(TimeZone(identifier: name))
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            let own = WallClock(zone)
            for now in [
                "2026-03-06T03:00:00Z", "2026-03-27T22:15:00Z", "2026-10-23T00:00:00Z", "2026-10-31T05:45:00Z",
                "2026-12-31T23:59:59Z",
            ] {
                let moment = try seconds(now)
                for weekday in 1...7 {
                    // Not from 01:00 to 04:00, where what a calendar makes of times left out or shown twice differs.
                    for start in [0, 400, 1130, 2359] {
                        let time = MeetingTime(
                            weekday: weekday,
                            start: start / 100 * 3600 + start % 100 * 60,
                            in: own,
                            now: moment,
                            viewer: own
                        )
                        let wanted = DateComponents(hour: start / 100, minute: start % 100, weekday: weekday)
                        let found = calendar.nextDate(
                            after: Date(timeIntervalSince1970: Double(moment)),
                            matching: wanted,
                            matchingPolicy: .nextTime
                        )
                        #expect(
                            found.map { Int($0.timeIntervalSince1970) } == time.next,
                            "\(name) \(now) \(weekday) \(start)"
                        )
                        checked += 1
                    }
                }
            }
        }
        #expect(checked == 6 * 5 * 7 * 4)
    }

    @Test("A moment is written with its distance from UTC")
    func offsets() throws {
        let rows = [
            ("America/New_York", "2026-09-19T07:30:00-04:00"), ("Asia/Kathmandu", "2026-09-19T17:15:00+05:45"),
            ("UTC", "2026-09-19T11:30:00+00:00"),
        ]
        for (zone, text) in rows {
            let clock = WallClock(try #require(TimeZone(identifier: zone)))
            #expect(clock.rfc3339(at: try seconds("2026-09-19T11:30:00Z")) == text)
        }
    }

    private func seconds(_ text: String) throws -> Int {
        Int(try #require(Timestamp.microseconds(text)) / 1_000_000)
    }
}
