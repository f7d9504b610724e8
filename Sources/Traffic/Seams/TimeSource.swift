import Foundation

/// The time that the store and the page go by: the machine's, or another that is passed in.
package struct TimeSource: Sendable {
    private let given: (@Sendable () -> Date)?
    /// What `uptime` counts from.
    private let origin = ContinuousClock.now

    /// The machine's.
    package init() { given = nil }

    /// A time of day that says itself what it is; it is asked on any thread.
    package init(_ date: @escaping @Sendable () -> Date) { given = date }

    /// The time of day.
    package var date: Date { given?() ?? Date() }

    /// The machine's monotonic time since this was made, from which durations are measured.
    package var uptime: Duration { origin.duration(to: .now) }
}
