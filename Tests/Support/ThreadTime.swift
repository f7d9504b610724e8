import Foundation

/// What a piece of work costs this thread, whatever else the machine does meanwhile.
package enum ThreadTime {
    /// Nanoseconds of processor time.
    package static func of(_ work: () throws -> Void) rethrows -> Double {
        let began = now
        try work()
        return Double(now - began)
    }

    /// The same of work that is done three times: the least, since whatever disturbs only adds to it.
    package static func least(of work: () throws -> Void) rethrows -> Double {
        var least = Double.infinity
        for _ in 1...3 { least = min(least, try of(work)) }
        return least
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
