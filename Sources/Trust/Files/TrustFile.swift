import Foundation
import Traffic

/// One small file of the root's directory, read and written with its owner and its mode in view.
struct TrustFile {
    /// A PEM certificate or key is under 2 KB; a far larger file is something else, and is not read.
    private static let limitBytes = 65_536

    let path: String

    init(_ path: String) { self.path = path }

    /// Reads the file.
    ///
    /// The file has to belong to this user or to root. A link is followed: only those two can lay one into the root's directory.
    ///
    /// - Parameters:
    ///   - others: what other users may do with it.
    ///   - user: who reads it.
    /// - Returns: its text; `nil` when there is no such file.
    /// - Throws: `TrustError` naming the file and what is wrong with it.
    func read(others: FileOwnership.Others, user: uid_t = geteuid()) throws(TrustError) -> String? {
        let bytes: [UInt8]?
        do {
            let file = OwnedFile(path, limitBytes: Self.limitBytes, followsLinks: true)
            bytes = try file.read(others: others, user: user)
        } catch {
            switch error {
            case .system(let reason): throw .unusable(path: path, reason: reason)
            case .ownership(.notAFile): throw .unusable(path: path, reason: "it is not a file")
            case .ownership(.owner(let owner)): throw .foreign(path: path, owner: owner)
            case .ownership(.mode(let mode)): throw .openToOthers(path: path, mode: mode, wanted: others.mode)
            case .length: throw .corrupt(path: path, problem: "is larger than any certificate or key")
            }
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes a file that must not exist yet and flushes it to disk.
    ///
    /// The file is made with mode 0600 at most, and gets `mode` exactly, whatever the umask.
    func create(_ text: String, mode: mode_t) throws(TrustError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(path) }
        defer { close(descriptor) }
        guard fchmod(descriptor, mode) == 0 else { throw .system(path) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(path) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw .system(path) }
    }

    /// Moves the file to a path; the caller holds the directory's lock and has seen that nothing is there.
    func rename(to other: String) throws(TrustError) {
        guard Foundation.rename(path, other) == 0 else { throw .system(other) }
    }

    /// Removes the file if it is there.
    func discard() throws(TrustError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .system(path) }
    }
}

extension TrustError {
    /// The failure of the system call just made on `path`.
    static func system(_ path: String) -> Self { .unusable(path: path, reason: String(cString: strerror(errno))) }
}
