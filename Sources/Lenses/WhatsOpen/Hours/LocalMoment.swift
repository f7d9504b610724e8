import Foundation

/// A moment as the calendar and the clock on a campus's wall show it.
package struct LocalMoment: Sendable, Equatable {
    package let date: Date
    /// Days since 1970-01-01 by the local calendar.
    package let day: Int
    /// Seconds since midnight by the clock on the wall.
    package let second: Int
    /// Seconds that the wall clock is ahead of UTC.
    package let offset: Int
    /// What is beyond the whole second, 0 to 1.
    package let fraction: Double

    /// 0 (Monday) to 6, as What's Open counts; 1970-01-01 was a Thursday.
    package var weekday: Int { ((day + 3) % 7 + 7) % 7 }
}
