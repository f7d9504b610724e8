import Foundation
import Traffic

/// A small file that is believed: only this user, or root, can have written it.
struct OwnFile {
    /// Bytes that are read; what is longer is something else.
    static let limitBytes = 1 << 20

    let path: String
    private let followsLinks: Bool

    /// - Parameters:
    ///   - path: its name.
    ///   - followsLinks: whether the name may be a link: where a user gave it, but not where it is ours.
    init(_ path: String, followsLinks: Bool) { (self.path, self.followsLinks) = (path, followsLinks) }

    /// Reads it; a pipe in its place is refused, and not waited for.
    ///
    /// - Parameters:
    ///   - others: what other users may do with it.
    ///   - user: who reads it.
    /// - Returns: its bytes; `nil` where there is no such file.
    /// - Throws: `InputError` naming the file, what is wrong with it, and the remedy.
    func read(others: FileOwnership.Others, user: uid_t = geteuid()) throws -> [UInt8]? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = open(path, flags)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw unreadable(String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(String(cString: strerror(errno))) }
        if let problem = FileOwnership.problem(of: status, others: others, user: user) {
            throw InputError("\(path) \(problem); \(remedy(for: problem, others))")
        }
        var bytes = [UInt8](repeating: 0, count: OwnFile.limitBytes + 1)
        var length = 0
        while length < bytes.count {
            let count = bytes[length...].withUnsafeMutableBytes {
                Foundation.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(String(cString: strerror(errno))) }
            if count == 0 { break }
            length += count
        }
        guard length <= OwnFile.limitBytes else { throw unreadable("it is too long") }
        return Array(bytes[..<length])
    }

    private func unreadable(_ reason: String) -> InputError {
        InputError("\(path) cannot be read: \(reason); remove it, or name another")
    }

    private func remedy(for problem: FileOwnership.Problem, _ others: FileOwnership.Others) -> String {
        switch problem {
        case .notAFile: "remove it"
        case .owner: "run this as that user, or remove the file if you do not know it"
        case .mode: "run chmod \(String(others.mode, radix: 8)) \(ShellText.quoted(path))"
        }
    }
}
