package import Foundation

/// The status of a facility at a moment: open or closed, and what happens next.
package struct FacilityStatus: Sendable, Equatable {
    package var isOpen: Bool
    /// Whether the facility is open at any time of the local day.
    package var isOpenToday: Bool
    /// When the facility closes; `nil` while it is closed, and where it does not close within the days that are read.
    package var closes: Date?
    /// When the facility opens after this moment, within eight days; `nil` where it does not.
    package var opensNext: Date?
    /// The schedule in force; `nil` when the facility has none.
    package var schedule: OpeningSchedule?
    /// The interval that the moment is in; `nil` while the facility is closed.
    package var interval: OpeningInterval?

    /// Whether the facility is open and stays open for all the days that are read.
    package var isOpenThroughout: Bool { isOpen && closes == nil }
}
