import Lenses
import Testing

@Suite(.timeLimit(.minutes(15)))
struct MeetingSlotTests {
    @Test(
        "The nearest slot goes by minutes, a tie to the earlier, past the end to the last; the app does neither",
        arguments: [
            // V3 of the reference: 35 minutes to the later, 55 to the earlier.
            (1155, [1100, 1230], 1, 0), (1145, [1100, 1230], 0, 0), (1146, [1100, 1230], 1, 0),
            (1220, [1100, 1230], 1, 1),
            // V2: past the last slot the app starts over.
            (2345, [30, 1200, 2330], 2, 0), (2330, [30, 1200, 2330], 2, 2), (0, [30, 1200], 0, 0), (1000, [30], 0, 0),
        ]
    )
    func nearest(clock: Int, clocks: [Int], ours: Int, app: Int) {
        #expect(MeetingSlot.nearest(to: clock, among: clocks) == ours)
        #expect(MeetingSlot.nearestInApp(to: clock, among: clocks) == app)
    }

    @Test("A day without meetings has no nearest slot")
    func none() {
        #expect(MeetingSlot.nearest(to: 900, among: []) == nil && MeetingSlot.nearestInApp(to: 900, among: []) == nil)
    }

    @Test("The thermometer is full at the last slot")
    func thermometer() {
        #expect(MeetingSlot.thermometer(at: 0, of: 4) == 0.25 && MeetingSlot.thermometer(at: 3, of: 4) == 1)
        #expect(MeetingSlot.thermometer(at: 0, of: 0) == 0)
    }

    @Test(
        "Days are indexes from 0 to 8, names and beginnings of names",
        arguments: [
            ("0", .inProgress), ("8", .search), ("1", .weekday(1)), ("7", .weekday(7)), ("sun", .weekday(1)),
            ("Tuesday", .weekday(3)), ("th", .weekday(5)), ("t", nil), ("s", nil), ("9", nil), ("-1", nil),
            ("someday", nil), ("", nil),
        ] as [(String, MeetingDay?)]
    )
    func days(text: String, day: MeetingDay?) {
        #expect(MeetingDay(text) == day)
        if let day { #expect(MeetingDay(index: day.index) == day) }
    }

    @Test("A week begins on the day that the calendar says")
    func week() {
        #expect(MeetingTimetable.week(from: 2) == [2, 3, 4, 5, 6, 7, 1])
        #expect(MeetingTimetable.week(from: 1) == Array(1...7) && MeetingTimetable.week(from: 7).first == 7)
    }

    @Test(
        "Clocks are read with and without a colon",
        arguments: [
            ("1900", 1900), ("19:00", 1900), ("7:05", 705), ("705", 705), ("0000", 0), ("2400", nil), ("1260", nil),
            ("1:2", nil), ("12:3:0", nil), ("", nil), ("190", nil),
        ]
            as [(String, Int?)]
    )
    func clocks(text: String, clock: Int?) {
        #expect(MeetingClockText.clock(text) == clock)
    }
}
