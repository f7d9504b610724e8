import Foundation

/// The number of connections this process may hold.
enum DescriptorLimit {
    /// Files that are none of a connection: the store's, the listeners, those that the event loops wait on.
    private static let otherCount = 100

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
}
