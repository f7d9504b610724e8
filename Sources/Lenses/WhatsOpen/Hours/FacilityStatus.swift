import Foundation

/// Whether a facility is open at a moment, and what happens next.
package struct FacilityStatus: Sendable, Equatable {
    package var isOpen: Bool
    /// Whether it is open at any time of the local day.
    package var isOpenToday: Bool
    /// When it closes; `nil` while it is closed, and when it does not close in the days that are looked at.
    package var closes: Date?
    /// When it opens after this moment, at most eight days on; `nil` when it does not.
    package var opensNext: Date?
    /// The schedule in force; `nil` when the facility has none.
    package var schedule: OpeningSchedule?
    /// The interval it is open in.
    package var interval: OpeningInterval?

    /// Whether it is open and stays so for all the days that are looked at.
    package var isOpenThroughout: Bool { isOpen && closes == nil }
}
