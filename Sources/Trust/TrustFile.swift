import Foundation

/// One small file of the root's directory, read and written with its mode in view.
struct TrustFile {
    /// Who may be able to read a file for it to be accepted.
    enum Readers {
        case anyone
        case ownerOnly
    }

    /// A PEM certificate or key is under 2 KB; what is far larger is something else, and is not read.
    private static let limitBytes = 65_536

    let path: String

    init(_ path: String) { self.path = path }

    /// The file's text, or nothing when there is no such file.
    ///
    /// The mode is that of the opened file, not of the path a moment before.
    func read(limit: Readers) throws(TrustError) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unusable(path: path, reason: "it is not a file")
        }
        let mode = UInt16(status.st_mode & 0o777)
        if limit == .ownerOnly, mode & 0o077 != 0 {
            throw .openToOthers(path: path, mode: mode, wanted: 0o600)
        }
        var bytes = [UInt8](repeating: 0, count: Self.limitBytes + 1)
        var length = 0
        while length < bytes.count {
            let count = bytes[length...].withUnsafeMutableBytes {
                Foundation.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(path) }
            if count == 0 { break }
            length += count
        }
        guard length <= Self.limitBytes else {
            throw .corrupt(path: path, problem: "is larger than any certificate or key")
        }
        return String(decoding: bytes[..<length], as: UTF8.self)
    }

    /// Writes a file that must not exist yet and flushes it to disk.
    ///
    /// It is born with 0600 at most and gets `mode` exactly, whatever the umask.
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

    /// Moves the file to a path where the caller has seen there is none, under the directory's lock.
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
