import Foundation

/// The number of connections this process may hold.
enum DescriptorLimit {
    /// Raises the limit of open files to what the system allows this user.
    static func raise() {
        var limit = rlimit()
        #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
        #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = min(limit.rlim_max, 1 << 20)
        _ = setrlimit(resource, &limit)
    }
}
