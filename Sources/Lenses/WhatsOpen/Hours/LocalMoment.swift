package import Foundation

/// A moment as a campus's calendar and wall clock show it.
package struct LocalMoment: Sendable, Equatable {
    package let date: Date
    /// Days since 1970-01-01 by the local calendar.
    package let day: Int
    /// Seconds since midnight by the wall clock.
    package let second: Int
    /// Seconds that the wall clock is ahead of UTC.
    package let offset: Int
    /// The fraction of a second, 0 up to but without 1.
    package let fraction: Double

    /// The weekday, 0 (Monday) to 6, as What's Open counts; 1970-01-01 was a Thursday.
    package var weekday: Int { ((day + 3) % 7 + 7) % 7 }
}
