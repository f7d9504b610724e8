/// A meeting in a viewer's week.
package struct MeetingEntry: Sendable {
    package let meeting: Meeting
    /// The meeting's time; `nil` where it cannot be told.
    package let time: MeetingTime?
    package let isInProgress: Bool
    /// Why the app hides or alters the meeting, an unknown zone included.
    package let losses: [MeetingLoss]
    /// Seconds that the clocks of the meeting's zone are ahead of UTC now.
    package let zoneOffset: Int

    /// Whether the app hides the meeting.
    package var isHidden: Bool { losses.contains { $0.hides } }
}
