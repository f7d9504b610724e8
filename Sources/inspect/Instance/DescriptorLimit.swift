import Foundation
import NIOCore

/// The number of connections this process may hold.
enum DescriptorLimit {
    /// Files that belong to no connection: those of the store, the listeners, and six for each core.
    ///
    /// A core has an event loop of the proxy's and one of the page's, and each loop waits on three files.
    private static let otherCount = 88 + 6 * System.coreCount

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
        if limit.rlim_cur < limit.rlim_max {
            let before = limit.rlim_cur
            limit.rlim_cur = min(limit.rlim_max, 1 << 20)
            if setrlimit(resource, &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// How many client connections fit a limit of open files, each with one to its upstream; at least 1.
    static func connectionCount(within fileCount: Int) -> Int { max(1, (fileCount - otherCount) / 2) }

    /// How many upstream connections without an exchange each event loop may keep beside so many clients' within a limit of open files; at least 1.
    ///
    /// An exchange that finds no room closes them, but nothing else that opens a file does.
    static func idleUpstreamCount(within fileCount: Int, beside connectionCount: Int) -> Int {
        max(1, (fileCount - otherCount - connectionCount) / System.coreCount)
    }
}
