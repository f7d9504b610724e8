import CoreFoundation
import Foundation

/// What the system says of a file: which one it is, and what changes with every change of it.
struct FileStatus: Hashable, Sendable {
    /// The file itself, whatever it is called.
    let device: UInt64
    let node: UInt64
    /// Bytes.
    let length: Int
    /// When its content was last written, which whoever owns the file may set: nanoseconds since 1970.
    let modified: Int64
    /// When its content, owner, permissions or `modified` last changed, which nobody can set: nanoseconds since 1970.
    let changed: Int64
    let isRegular: Bool
    let isDirectory: Bool

    /// The file of a path, behind every symbolic link; `nil` where there is none, or where nobody may look.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// An open file; `nil` where nothing is open.
    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        node = UInt64(truncatingIfNeeded: status.st_ino)
        length = Int(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        #if canImport(Darwin)
        modified = FileStatus.nanoseconds(status.st_mtimespec)
        changed = FileStatus.nanoseconds(status.st_ctimespec)
        #else
        modified = FileStatus.nanoseconds(status.st_mtim)
        changed = FileStatus.nanoseconds(status.st_ctim)
        #endif
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
    }
}
