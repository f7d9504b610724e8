import Foundation
import NIOCore

/// The number of connections this process may hold: those of clients, those to upstreams and all else fit the limit of open files together.
enum DescriptorLimit {
    /// Files that belong to no connection: those of the store, the listeners, and seven for each core.
    ///
    /// A core has an event loop of the proxy's and one of the page's, and each loop waits on three files. A loop of the proxy's may also open one
    /// socket for a further address of a name, which it closes at once where there is no place for it.
    private static let otherCount = 88 + 7 * System.coreCount

    /// Raises the limit of open files to what the system allows this user.
    ///
    /// - Returns: the limit; `nil` when the system does not say.
    static func raise() -> Int? {
        var limit = rlimit()
        #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
        #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard getrlimit(resource, &limit) == 0 else { return nil }
        let most = mostOfProcess
        if limit.rlim_cur < limit.rlim_max {
            let before = limit.rlim_cur
            limit.rlim_cur = min(limit.rlim_max, most, 1 << 20)
            if setrlimit(resource, &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(clamping: min(limit.rlim_cur, most))
    }

    /// What the system lets a process have open, whatever its limit says.
    private static var mostOfProcess: rlim_t {
        #if canImport(Darwin)
        // XNU takes a higher limit, and keeps to this one all the same.
        var (count, size) = (Int32(0), MemoryLayout<Int32>.size)
        if sysctlbyname("kern.maxfilesperproc", &count, &size, nil, 0) == 0, count > 0 { return rlim_t(count) }
        #endif
        return .max
    }

    /// How many client connections fit a limit of open files, each with one to its upstream; at least 1.
    static func connectionCount(within fileCount: Int) -> Int { max(1, (fileCount - otherCount) / 2) }

    /// How many upstream connections fit a limit of open files beside so many clients', with those that are idle; at least 1.
    ///
    /// They may be more than the clients' connections, each of which may have many requests under way.
    static func upstreamCount(within fileCount: Int, beside connectionCount: Int) -> Int {
        max(1, fileCount - otherCount - connectionCount)
    }
}
