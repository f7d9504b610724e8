package import Foundation

/// The clock of the store and the page: the machine's, or another that is passed in.
package struct TimeSource: Sendable {
    private let given: (@Sendable () -> Date)?
    private let givenUptime: (@Sendable () -> Duration)?
    /// What the machine's `uptime` counts from.
    private let origin = ContinuousClock.now

    /// The machine's.
    package init() { (given, givenUptime) = (nil, nil) }

    /// A time of day that says itself what it is; it is asked on any thread.
    ///
    /// - Parameters:
    ///   - date: the time of day.
    ///   - uptime: the monotonic time, from wherever it counts; `nil` for the machine's.
    package init(_ date: @escaping @Sendable () -> Date, uptime: (@Sendable () -> Duration)? = nil) {
        (given, givenUptime) = (date, uptime)
    }

    /// The time of day.
    package var date: Date { given?() ?? Date() }

    /// The monotonic time, from which durations are measured: the machine's since this was made, or the one that was passed in.
    package var uptime: Duration { givenUptime?() ?? origin.duration(to: .now) }
}
