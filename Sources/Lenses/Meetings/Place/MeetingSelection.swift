package import Foundation

/// A selection of meetings, and the moment and zone that they are seen from.
package struct MeetingSelection: Sendable {
    package let moment: Date
    package let zone: TimeZone
    /// The position of the app's day selector; `nil` for everything.
    package var day: MeetingDay?
    /// The time of day whose nearest slot is wanted, as hours times 100 plus minutes.
    package var clock: Int?
    /// A text in the name, for a search.
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
    /// - Returns: whether the meeting is wanted.
    func selects(_ entry: MeetingEntry, attended: Set<UInt64>) -> Bool {
        if isHidden ? entry.losses.isEmpty : entry.isHidden { return false }
        if isOnlyAttended, !(entry.meeting.id.map(attended.contains) ?? false) { return false }
        return type?.selects(entry.meeting) ?? true
    }
}
