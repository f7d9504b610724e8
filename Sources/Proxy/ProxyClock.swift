import CNIOLinux
import CoreFoundation
package import Foundation
package import NIOCore
import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The time that the proxy uses: the machine's, or that of a clock that is passed in, such as a test's, which stands still until it is moved.
///
/// Nothing else of the proxy asks the machine for the time.
package struct ProxyClock: Sendable {
    private let given: (@Sendable () -> NIODeadline)?
    private let givenDate: (@Sendable () -> Date)?

    /// The machine's clock.
    package init() { (given, givenDate) = (nil, nil) }

    /// A clock that is asked for the time, on every thread; deadlines are compared with it about every 100 ms of the machine's time.
    ///
    /// - Parameters:
    ///   - now: the monotonic time.
    ///   - date: the time of day; `nil` for the machine's.
    package init(_ now: @escaping @Sendable () -> NIODeadline, date: (@Sendable () -> Date)? = nil) {
        (given, givenDate) = (now, date)
    }

    /// The monotonic time, which deadlines are compared with and durations are measured by.
    var now: NIODeadline { given?() ?? .now() }

    /// The time of day, which the dates of certificates are compared with.
    var date: Date { givenDate?() ?? Date() }

    /// The time of day in microseconds since 1970-01-01T00:00:00Z, which dates the rows of the record.
    var microseconds: Int64 {
        if let givenDate { return Moment.microseconds(givenDate()) }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
