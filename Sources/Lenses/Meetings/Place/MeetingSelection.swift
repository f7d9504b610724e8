import Foundation

/// Which meetings are wanted, and how they are seen.
package struct MeetingSelection: Sendable {
    package let moment: Date
    package let zone: TimeZone
    /// Where the app's selector would stand; `nil` for everything.
    package var day: MeetingDay?
    /// The time whose nearest slot is wanted, in seconds after midnight.
    package var clock: Int?
    /// Text in the name, for a search.
    package var text = ""
    package var type: MeetingType?
    /// Whether only meetings with the mark of attendance are wanted.
    package var isOnlyAttended = false
    /// Whether the time slots of a day are wanted.
    package var isSlots = false
    /// Whether the meetings that the app hides or alters are wanted.
    package var isHidden = false

    init(moment: Date, zone: TimeZone) { (self.moment, self.zone) = (moment, zone) }

    /// Whether a meeting is wanted, whatever the day.
    ///
    /// - Parameters:
    ///   - entry: the meeting.
    ///   - attended: the app's numbers of the meetings that are attended.
    /// - Returns: whether it is.
    func selects(_ entry: MeetingEntry, attended: Set<UInt64>) -> Bool {
        if isHidden ? entry.losses.isEmpty : entry.isHidden { return false }
        if isOnlyAttended, !(entry.meeting.id.map(attended.contains) ?? false) { return false }
        return type?.selects(entry.meeting) ?? true
    }
}
