import Foundation
import Traffic

/// The known mistakes of the app that an answer's meetings would let its user see.
enum MeetingBugs {
    /// One finding a mistake at most, with an example.
    static func findings(_ table: MeetingTimetable, list: MeetingList, request: MeetingsRequest) -> [CheckFinding] {
        let days = (1...7).map { (weekday: $0, slots: table.shown.slots(on: $0)) }
        return [
            pastTheEnd(days), farther(days), documentedType(table, request), page(list, request), centre(list, request),
            ending(table),
        ].compactMap { $0 }
    }

    /// V2: the last slot of a day, where it starts before midnight.
    private static func pastTheEnd(_ days: [(weekday: Int, slots: [MeetingSlot])]) -> CheckFinding? {
        for day in days {
            guard day.slots.count > 1, let first = day.slots.first, let last = day.slots.last, last.clock < 2359,
                let meeting = last.entries.first?.meeting
            else { continue }
            let (one, other) = (MeetingClockText.text(last.clock), MeetingClockText.text(first.clock))
            return CheckFinding(
                MeetingRules.v2,
                at: JSONPointer.child(meeting.index, of: "/meetings"),
                "after \(one) on \(MeetingDay.name(day.weekday)), the last of \(day.slots.count) slots, the app goes to \(other)"
            )
        }
        return nil
    }

    /// V3: a time between two slots that is nearer to one by minutes, and nearer to the other by the app's count.
    private static func farther(_ days: [(weekday: Int, slots: [MeetingSlot])]) -> CheckFinding? {
        for day in days {
            let clocks = day.slots.map(\.clock)
            for (earlier, later) in zip(clocks, clocks.dropFirst()) {
                for clock in earlier..<later where clock % 100 < 60 {
                    let pair = [earlier, later]
                    guard let right = MeetingSlot.nearest(to: clock, among: pair),
                        let app = MeetingSlot.nearestInApp(to: clock, among: pair), right != app,
                        let slot = day.slots.first(where: { $0.clock == pair[app] }),
                        let meeting = slot.entries.first?.meeting
                    else { continue }
                    let text = MeetingClockText.text
                    return CheckFinding(
                        MeetingRules.v3,
                        at: JSONPointer.child(meeting.index, of: "/meetings"),
                        "at \(text(clock)) on \(MeetingDay.name(day.weekday)) the app picks \(text(pair[app])), though \(text(pair[right])) is nearer"
                    )
                }
            }
        }
        return nil
    }

    /// V4: meetings that are not hybrid, asked for by a type that is documented as hybrid.
    private static func documentedType(_ table: MeetingTimetable, _ request: MeetingsRequest) -> CheckFinding? {
        guard request.function == .query, let type = request.integer("type"), [1, -1].contains(type) else { return nil }
        let others = table.entries.filter { $0.meeting.kind != .hybrid }
        guard let first = others.first?.meeting else { return nil }
        return CheckFinding(
            MeetingRules.v4,
            at: JSONPointer.child(first.index, of: "/meetings"),
            "type \(type) is answered with meetings \(MeetingsRequest.typeWords(String(type))): "
                + "\(others.count) of \(table.entries.count) are not hybrid"
        )
    }

    /// V5: an answer in one piece, whose page is 0.
    private static func page(_ list: MeetingList, _ request: MeetingsRequest) -> CheckFinding? {
        guard !request.has("page_size"), !request.has("page"), list.integer("page") == 0 else { return nil }
        return CheckFinding(MeetingRules.v5, at: "/meta/page", "page is 0 in an answer that is not in pages")
    }

    /// V6: a search round the point where latitude and longitude are 0.
    private static func centre(_ list: MeetingList, _ request: MeetingsRequest) -> CheckFinding? {
        if list.meta["center_lat"]?.number == 0, list.meta["center_lng"]?.number == 0 {
            return CheckFinding(MeetingRules.v6, at: "/meta/center_lat", "the centre of the search is 0, 0")
        }
        let asked = ["geocenter_lat", "geocenter_lng"].map { request.value($0).flatMap(Double.init) }
        guard asked == [0, 0] else { return nil }
        return CheckFinding(MeetingRules.v6, in: .request, "geocenter_lat and geocenter_lng are 0")
    }

    /// V7: the meeting in progress that ends first.
    private static func ending(_ table: MeetingTimetable) -> CheckFinding? {
        let ends = table.shown.inProgress.compactMap { entry in
            entry.time.map { (end: $0.previous + entry.meeting.duration, meeting: entry.meeting) }
        }
        guard let next = ends.min(by: { $0.end < $1.end }) else { return nil }
        let clock = MeetingClockText.text(WallClock.clock(WallClock(table.zone).wall(at: next.end)))
        return CheckFinding(
            MeetingRules.v7,
            at: JSONPointer.child(next.meeting.index, of: "/meetings"),
            "at \(clock):00 in \(table.zone.identifier) \(next.meeting.label) has ended, and is in progress by one of the app's two tests"
        )
    }
}
