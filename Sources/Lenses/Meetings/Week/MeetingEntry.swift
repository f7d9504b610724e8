/// A meeting in a viewer's week.
package struct MeetingEntry: Sendable {
    package let meeting: Meeting
    /// When it is; `nil` when nobody can tell.
    package let time: MeetingTime?
    package let isInProgress: Bool
    /// What of it the app does not show as it was told, its zone included.
    package let losses: [MeetingLoss]
    /// Seconds that its zone's clocks are ahead of UTC now.
    package let zoneOffset: Int

    /// Whether the app leaves it out.
    package var isHidden: Bool { losses.contains { $0.hides } }
}
