import Foundation
import Lenses

/// The meetings that were asked for, in their order.
struct MeetingsListing {
    /// What is asked for.
    struct Request {
        var moment: Date
        var zone: TimeZone
        /// Where the app's selector would stand; `nil` for everything.
        var day: MeetingDay?
        /// The time whose nearest slot is wanted.
        var clock: Int?
        var text = ""
        var type: MeetingType?
        /// The app's numbers of the meetings that are attended.
        var attended: Set<UInt64> = []
        /// Those of them that were marked just now.
        var marked: Set<UInt64> = []
        var isOnlyAttended = false
        var isSlots = false
        var isHidden = false

        init(moment: Date, zone: TimeZone) {
            self.moment = moment
            self.zone = zone
        }
    }

    /// A day's slot that was picked by a time.
    struct Picked {
        let index: Int
        let slots: [MeetingSlot]
        /// Where the app would go.
        let inApp: Int

        var slot: MeetingSlot { slots[index] }
        var thermometer: Double { MeetingSlot.thermometer(at: index, of: slots.count) }
    }

    let found: MeetingSource.Found
    let request: Request
    /// All meetings of the answer.
    let table: MeetingTimetable
    /// Those listed.
    let entries: [MeetingEntry]
    /// The weekday that `--slots` and `--day` look at, today's else; 1 is Sunday.
    let weekday: Int
    /// The slots of that day, where they are asked for.
    let slots: [MeetingSlot]
    /// The slot nearest to the time asked for; `nil` where none was, or the day has no meeting.
    let picked: Picked?

    init(_ found: MeetingSource.Found, _ request: Request) {
        self.found = found
        self.request = request
        let table = MeetingTimetable(found.list.meetings, now: request.moment, zone: request.zone)
        let wanted = table.only { entry in
            if request.isHidden ? entry.losses.isEmpty : entry.isHidden { return false }
            if request.isOnlyAttended, !Self.isAttended(entry, request) { return false }
            return request.type?.selects(entry.meeting) ?? true
        }
        let wall = WallClock(request.zone)
        let today = WallClock.weekday(of: wall.wall(at: Int(request.moment.timeIntervalSince1970.rounded(.down))))
        var weekday = today
        if case .weekday(let day)? = request.day { weekday = day }
        let isDay = request.isSlots || request.day == .weekday(weekday)
        let slots = isDay ? wanted.slots(on: weekday) : []
        var picked: Picked?
        if let clock = request.clock, let index = MeetingSlot.nearest(to: clock, among: slots.map(\.clock)),
            let inApp = MeetingSlot.nearestInApp(to: clock, among: slots.map(\.clock))
        {
            picked = Picked(index: index, slots: slots, inApp: inApp)
        }
        self.table = table
        self.weekday = weekday
        self.slots = slots
        self.picked = picked
        entries =
            switch request.day {
            case .inProgress: wanted.inProgress
            case .search: wanted.search(request.text)
            case .weekday: picked?.slot.entries ?? slots.flatMap(\.entries)
            case nil: request.isSlots ? slots.flatMap(\.entries) : request.isHidden ? wanted.entries : wanted.upcoming
            }
    }

    /// Whether a meeting has the mark of attendance.
    func isAttended(_ entry: MeetingEntry) -> Bool { Self.isAttended(entry, request) }

    private static func isAttended(_ entry: MeetingEntry, _ request: Request) -> Bool {
        entry.meeting.id.map(request.attended.contains) ?? false
    }
}
