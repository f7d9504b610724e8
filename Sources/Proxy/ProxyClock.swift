import Foundation
import NIOCore
import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The time that the proxy goes by: the machine's, or another that is passed in and stands still until it is moved.
///
/// Nothing else of the proxy asks the machine for the time.
package struct ProxyClock: Sendable {
    private let given: (@Sendable () -> NIODeadline)?
    private let givenDate: (@Sendable () -> Date)?

    /// The machine's.
    package init() { (given, givenDate) = (nil, nil) }

    /// One that says itself what time it is; it is asked on every thread, and looked at about every 100 ms of the machine's.
    ///
    /// - Parameters:
    ///   - now: the monotonic time.
    ///   - date: the time of day; `nil` for the machine's.
    package init(_ now: @escaping @Sendable () -> NIODeadline, date: (@Sendable () -> Date)? = nil) {
        (given, givenDate) = (now, date)
    }

    /// The monotonic time, which deadlines are held to and durations are measured with.
    var now: NIODeadline { given?() ?? .now() }

    /// The time of day, which certificates are held to.
    var date: Date { givenDate?() ?? Date() }

    /// The same in microseconds since 1970-01-01T00:00:00Z, which the record is dated with; durations are measured with `now`.
    var microseconds: Int64 {
        if let givenDate { return Moment.microseconds(givenDate()) }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
