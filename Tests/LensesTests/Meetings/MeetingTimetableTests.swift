import Foundation
import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct MeetingTimetableTests {
    /// Monday 2026-09-14, 12:00 in New York.
    private let now = Date(timeIntervalSince1970: 1_789_401_600)

    private func table(_ changes: [[String: String?]]) throws -> MeetingTimetable {
        let meetings = try changes.enumerated().map { index, change in
            var change = change
            change["meeting_id"] = .some("\(index + 1)")
            return Meeting(try JSONReader.value(Array(MeetingSample.json(change).utf8)), index: index)
        }
        return MeetingTimetable(meetings, now: now, zone: try #require(TimeZone(identifier: "America/New_York")))
    }

    private func at(_ weekday: Int, _ time: String, _ zone: String = "America/New_York", name: String = "Owls")
        -> [String: String?]
    {
        ["weekday": "\(weekday)", "start_time": "\"\(time):00\"", "time_zone": "\"\(zone)\"", "name": "\"\(name)\""]
    }

    @Test("Slots hold the meetings of the viewer's day that start together, whatever their own day is")
    func slots() throws {
        let table = try table([
            at(1, "08:00", "Asia/Tokyo"), at(7, "19:00", name: "Bats"), at(7, "16:00", "America/Los_Angeles"),
            at(7, "09:00"),
            at(1, "19:00"), at(7, "19:00", "Nowhere/At_All"),
        ])
        let slots = table.slots(on: 7)
        #expect(slots.map(\.clock) == [900, 1900] && slots.map(\.entries.count) == [1, 3])
        #expect(slots.last?.entries.map(\.meeting.name) == ["Bats", "Owls", "Owls"])
        #expect(table.slots(on: 1).map(\.clock) == [1900] && table.slots(on: 4).isEmpty)
        #expect(
            table.entries.last?.losses == [.unknownZone] && table.hiddenCount == 1 && table.shown.entries.count == 5
        )
        #expect(table.losses.map(\.loss) == [.unknownZone])
    }

    @Test("A list that names more zones than the world has means none by the rest")
    func manyZones() throws {
        var clock = MeetingClock(now: now, viewer: .gmt)
        let first = clock.zone("Europe/London")
        let others = (1..<1_000).compactMap { clock.zone("Nowhere/\($0)") }
        let (last, again) = (clock.zone("America/New_York"), clock.zone("Europe/London"))
        #expect(first != nil && others.isEmpty && last == nil && again != nil)
        // Nobody looked whether there is the last one.
        let zones = (0..<1_000).map { "Nowhere/\($0)" } + ["America/New_York"]
        let meetings = try zones.map { try MeetingSample.meeting(["time_zone": "\"\($0)\""]) }
        let entries = MeetingTimetable(meetings, now: now, zone: .gmt).entries
        #expect(entries.count { $0.losses.contains(.unknownZone) } == 1_000)
        #expect(entries.last?.losses.contains(.unknownZone) == false)
    }

    @Test("What is in progress stands by when it began, and ends at its end")
    func inProgress() throws {
        let table = try table([
            at(2, "11:30"), at(2, "11:00"), at(2, "11:01"), at(2, "12:00"), at(2, "12:01"), at(2, "16:00", "UTC"),
        ])
        #expect(table.inProgress.compactMap(\.meeting.meetingID) == [3, 1, 4, 6])
    }

    @Test("What comes next stands first")
    func upcoming() throws {
        let table = try table([at(2, "12:00"), at(2, "12:01"), at(1, "23:00"), at(3, "00:00", "Asia/Tokyo")])
        #expect(table.upcoming.compactMap(\.meeting.meetingID) == [2, 3, 4, 1])
    }

    @Test("A search ignores case; its order is the name, then how far the zone is ahead, then the viewer's clock")
    func search() throws {
        let table = try table([
            at(3, "20:00", name: "late owls"), at(3, "19:00", name: "Late Owls"),
            at(4, "09:00", "Europe/London", name: "Late Owls"),
            at(3, "19:00", name: "Early Owls"), at(3, "19:00", name: "Bats"),
            at(5, "22:00", "America/Los_Angeles", name: "Late OWLS"),
        ])
        #expect(table.search("owls").compactMap(\.meeting.meetingID) == [4, 6, 2, 1, 3])
        #expect(table.search("").count == 6 && table.search("none").isEmpty)
    }
}
