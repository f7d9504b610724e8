import Foundation

/// What a piece of work costs this thread, whatever else the machine does meanwhile.
enum ThreadTime {
    /// Nanoseconds of processor time.
    static func of(_ work: () throws -> Void) rethrows -> Double {
        let began = now
        try work()
        return Double(now - began)
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
