import CoreFoundation
import Foundation
package import Traffic

/// A small file that is believed: it is opened once, checked, and read through the same descriptor.
///
/// Only this user, or root, can have written it.
package struct OwnedFile {
    /// Why the file is not read.
    package enum Problem: Error {
        /// What the system says.
        case system(String)
        /// Another user may have written the file, or may read it.
        case ownership(FileOwnership.Problem)
        /// It is longer than any such file.
        case length
    }

    private let path: String
    private let limitBytes: Int
    private let followsLinks: Bool

    /// - Parameters:
    ///   - path: its name.
    ///   - limitBytes: bytes that are read; a longer file is something else.
    ///   - followsLinks: whether the name may be a link.
    package init(_ path: String, limitBytes: Int, followsLinks: Bool) {
        (self.path, self.limitBytes, self.followsLinks) = (path, limitBytes, followsLinks)
    }

    /// Reads the file; a pipe in its place is refused, and not waited for.
    ///
    /// - Parameters:
    ///   - others: what other users may do with it.
    ///   - user: who reads it.
    /// - Returns: its bytes; `nil` where there is no such file.
    /// - Throws: what is wrong with it.
    package func read(others: FileOwnership.Others, user: UInt32) throws(Problem) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .failed
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .failed }
        if let problem = FileOwnership.problem(of: status, others: others, user: user) { throw .ownership(problem) }
        var bytes = [UInt8](repeating: 0, count: limitBytes + 1)
        var length = 0
        while length < bytes.count {
            let count = bytes[length...].withUnsafeMutableBytes {
                Foundation.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .failed }
            if count == 0 { break }
            length += count
        }
        guard length <= limitBytes else { throw .length }
        return Array(bytes[..<length])
    }
}

extension OwnedFile.Problem {
    /// The failure of the system call just made.
    fileprivate static var failed: Self { .system(String(cString: strerror(errno))) }
}
