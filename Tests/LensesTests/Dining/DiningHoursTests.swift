import Foundation
import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct DiningHoursTests {
    @Test(
        "Hours beyond 24 are of the next day, and a hall is open until just before it closes",
        arguments: [
            ("2015-05-29T20:59", false), ("2015-05-29T21:00", true), ("2015-05-30T01:59", true),
            ("2015-05-30T02:00", false), ("2015-05-29T01:00", false),
        ]
    )
    func lateNight(time: String, isOpen: Bool) throws {
        let day = try #require(CampusDay(short: "5/29/15"))
        let hours = DiningHours(openHour: 21, openMinute: 0, closeHour: 26, closeMinute: 0)
        let state = hours.state(on: day, at: try moment(time))
        #expect((state == .open(until: try moment("2015-05-30T02:00"))) == isOpen)
        #expect(hours.text == "21:00–02:00 next day")
    }

    @Test("Where clocks change in the night, hours are those that the wall shows")
    func clockChange() throws {
        let day = try #require(CampusDay(short: "10/31/15"))
        let hours = DiningHours(openHour: 21, openMinute: 0, closeHour: 26, closeMinute: 0)
        let interval = try #require(hours.interval(on: day))
        #expect(interval.upperBound.timeIntervalSince(interval.lowerBound) == 6 * 3600)
        let spring = try #require(CampusDay(short: "3/7/15"))
        let short = try #require(hours.interval(on: spring))
        #expect(short.upperBound.timeIntervalSince(short.lowerBound) == 5 * 3600)
    }

    @Test(
        "Hours that are none are not read",
        arguments: [
            #""open":7"#, #""openHour":"7","openMin":0,"closeHour":9,"closeMin":0"#,
            #""openHour":-1,"openMin":0,"closeHour":9,"closeMin":0"#,
            #""openHour":7,"openMin":60,"closeHour":9,"closeMin":0"#,
            #""openHour":7,"openMin":0,"closeHour":1e18,"closeMin":0"#,
            #""openHour":7.5,"openMin":0,"closeHour":9,"closeMin":0"#,
        ]
    )
    func unreadable(hours: String) {
        let answer = CloudKitSample.answer(CloudKitSample.record(CloudKitSample.payload(hours: hours)))
        let findings = DiningMenuLens().findings(CloudKitSample.capture(response: answer))
        let said = "De Neve at Breakfast has hours that cannot be read"
        #expect(findings.contains { $0.message.hasPrefix(said) }, "\(findings)")
    }

    @Test("A hall that closes as it opens, or before, is never open", arguments: [(7, 7), (11, 7)])
    func never(opens: Int, closes: Int) throws {
        let day = try #require(CampusDay(short: "5/29/15"))
        let hours = DiningHours(openHour: opens, openMinute: 0, closeHour: closes, closeMinute: 0)
        #expect(hours.state(on: day, at: try moment("2015-05-29T08:00")) == .never)
    }

    @Test(
        "Dates are read as an American phone writes them",
        arguments: [
            ("5/29/15", "Fri 2015-05-29"), ("12/1/2026", "Tue 2026-12-01"), ("2/29/16", "Mon 2016-02-29"),
            ("2/29/15", nil), ("29/5/15", nil), ("5-29-15", nil), ("", nil), ("5/29", nil), ("٥/٢٩/١٥", nil),
            ("0/0/0", nil), ("5/29/99999", nil),
        ] as [(String, String?)]
    )
    func dates(text: String, day: String?) { #expect(CampusDay(short: text)?.text == day) }

    private func moment(_ text: String) throws -> Date {
        let time = try #require(Moment.parse(text, now: 0, zone: CampusTime.zone))
        return Date(timeIntervalSince1970: Double(time) / 1_000_000)
    }
}
