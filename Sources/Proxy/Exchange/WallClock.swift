#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The time of day, for the record only; durations are measured with the monotonic clock.
enum WallClock {
    /// Microseconds since 1970-01-01T00:00:00Z.
    static func microseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
