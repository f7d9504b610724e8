import CoreFoundation
import Foundation
import Traffic

/// The steps on a directory that only its owner may look into.
enum PrivateDirectory {
    /// Whether the directory is there.
    ///
    /// Throws when the path is no directory, or the directory is another user's, is open to others, or may be replaced by any user. Programs are told
    /// to read the roots that they trust from it by name.
    static func check(_ path: String, user: uid_t = geteuid()) throws(TrustError) -> Bool {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var folder = stat()
        if stat(parent, &folder) == 0, FileOwnership.isOpenToAll(folder: folder) {
            throw .unusable(path: path, reason: "every user of this machine may replace what is in \(parent)")
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return false }
            throw .system(path)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw .unusable(path: path, reason: "it is not a directory")
        }
        switch FileOwnership.problem(ofPrivateFolder: status, user: user) {
        case .owner(let owner)?: throw .foreign(path: path, owner: owner)
        case .mode(let mode)?: throw .openToOthers(path: path, mode: mode, wanted: 0o700)
        case .notAFile?, nil: return true
        }
    }

    /// Makes the directory and the parents it lacks, each with mode 0700 whatever the umask; a directory that is there is only checked.
    static func make(_ path: String) throws(TrustError) {
        if mkdir(path, 0o700) != 0 {
            switch errno {
            case EEXIST:
                _ = try check(path)
                return
            case ENOENT:
                let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
                guard parent != path else { throw .system(path) }
                try makeParent(parent)
                if mkdir(path, 0o700) != 0 {
                    guard errno == EEXIST else { throw .system(path) }
                    _ = try check(path)
                    return
                }
            default:
                throw .system(path)
            }
        }
        guard chmod(path, 0o700) == 0 else { throw .system(path) }
    }

    /// Makes the parent of a directory; a parent that is there may have any mode.
    private static func makeParent(_ path: String) throws(TrustError) {
        if access(path, F_OK) == 0 { return }
        try make(path)
    }

    /// Flushes the directory's own entries to disk, so that a rename outlives a power cut.
    static func flush(_ path: String) throws(TrustError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system(path) }
    }
}
