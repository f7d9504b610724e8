import Foundation

/// A disk without room, as this whole process sees it: every write past the first bytes of any file fails.
///
/// For exit tests alone, since other tests write files too.
enum FullDisk {
    /// Bytes of a file that can still be written: no more than its first page.
    private static let room = 4096

    /// Nothing fits any more.
    static func fill() {
        signal(SIGXFSZ, SIG_IGN)
        limit(rlim_t(room))
    }

    /// There is room again.
    static func makeRoom() { limit(nil) }

    private static func limit(_ bytes: rlim_t?) {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
        let resource = RLIMIT_FSIZE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { exit(2) }
        limit.rlim_cur = bytes ?? limit.rlim_max
        guard setrlimit(resource, &limit) == 0 else { exit(3) }
    }
}
