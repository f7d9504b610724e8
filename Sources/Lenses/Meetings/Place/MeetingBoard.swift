import Foundation

/// The meetings that were asked for, in their order, in the viewer's week.
package struct MeetingBoard: PlaceBoard {
    /// A day's slot that was picked by a time.
    package struct Picked: Sendable {
        /// The slot's index among the slots of the day.
        package let index: Int
        package let slots: [MeetingSlot]
        /// The index of the slot that the app would go to.
        package let inApp: Int

        package var slot: MeetingSlot { slots[index] }
        /// How far into the day the slot is, 0 to 1.
        package var thermometer: Double { MeetingSlot.thermometer(at: index, of: slots.count) }
    }

    package let finding: MeetingFinding
    package let selection: MeetingSelection
    /// The app's numbers of the meetings that are attended.
    package let attended: Set<UInt64>
    /// All meetings of the answer.
    package let table: MeetingTimetable
    /// The meetings that are listed.
    package let entries: [MeetingEntry]
    /// The weekday that is shown, today's where none was asked for; 1 is Sunday.
    package let weekday: Int
    /// The slots of that day, where they are asked for.
    package let slots: [MeetingSlot]
    /// The slot nearest to the time asked for; `nil` where none was, or the day has no meeting.
    package let picked: Picked?

    init(_ finding: MeetingFinding, _ selection: MeetingSelection, attended: Set<UInt64>) {
        (self.finding, self.selection, self.attended) = (finding, selection, attended)
        let table = MeetingTimetable(finding.list.meetings, now: selection.moment, zone: selection.zone)
        let wanted = table.only { selection.selects($0, attended: attended) }
        let wall = WallClock(selection.zone)
        let today = WallClock.weekday(of: wall.wall(at: Int(selection.moment.timeIntervalSince1970.rounded(.down))))
        var weekday = today
        if case .weekday(let day)? = selection.day { weekday = day }
        let isDay = selection.isSlots || selection.day == .weekday(weekday)
        let slots = isDay ? wanted.slots(on: weekday) : []
        var picked: Picked?
        if let clock = selection.clock, let index = MeetingSlot.nearest(to: clock, among: slots.map(\.clock)),
            let inApp = MeetingSlot.nearestInApp(to: clock, among: slots.map(\.clock))
        {
            picked = Picked(index: index, slots: slots, inApp: inApp)
        }
        self.table = table
        self.weekday = weekday
        self.slots = slots
        self.picked = picked
        entries =
            switch selection.day {
            case .inProgress: wanted.inProgress
            case .search: wanted.search(selection.text)
            case .weekday: picked?.slot.entries ?? slots.flatMap(\.entries)
            case nil:
                selection.isSlots ? slots.flatMap(\.entries) : selection.isHidden ? wanted.entries : wanted.upcoming
            }
    }

    /// Whether a meeting has the mark of attendance.
    package func isAttended(_ entry: MeetingEntry) -> Bool { entry.meeting.id.map(attended.contains) ?? false }
}
