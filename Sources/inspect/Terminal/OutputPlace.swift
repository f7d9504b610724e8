import Foundation
import Traffic

/// What the name that a user gives for a file to be written leads to, with links followed.
enum OutputPlace: Equatable {
    /// A plain file, or nothing yet; another file may take its place.
    case file(String)
    /// What is no plain file and must stay what it is: a pipe, a terminal, a device.
    case stream(String)
    /// What this process has open already, as `/dev/stdout` names it.
    case open(Int32)

    /// Links that are followed, at most (Linux follows as many).
    private static let linkLimit = 40

    /// Follows a name.
    ///
    /// - Throws: `InputError` when it leads to a directory, in a circle, or by way of what another user laid into a shared directory.
    init(_ name: String) throws {
        var path = name
        var count = 0
        while true {
            if let number = Self.descriptor(path) {
                self = .open(number)
                return
            }
            guard let target = Self.target(path) else { break }
            let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
            guard FollowedPath(directory).foreignLink == nil, Self.isOurs(path, in: directory) else {
                throw Self.refusal(name, EACCES)
            }
            path = target.hasPrefix("/") ? target : directory + "/" + target
            count += 1
            guard count <= Self.linkLimit else { throw Self.refusal(name, ELOOP) }
        }
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FollowedPath(directory).foreignLink == nil else { throw Self.refusal(name, EACCES) }
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = .file(path)
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .file(path)
        case S_IFDIR: throw Self.refusal(name, EISDIR)
        default:
            guard Self.isOurs(path, in: directory) else { throw Self.refusal(name, EACCES) }
            self = .stream(path)
        }
    }

    /// What there is to say of a name that cannot be written to.
    static func refusal(_ name: String, _ code: Int32) -> InputError {
        InputError("cannot write \(name): \(String(cString: strerror(code)))")
    }

    /// Whether a name may be followed, by what it belongs to and the directory it is in.
    private static func isOurs(_ path: String, in directory: String) -> Bool {
        var file = stat()
        var folder = stat()
        return lstat(path, &file) == 0 && stat(directory, &folder) == 0 && FileOwnership.isOurs(file, in: folder)
    }

    /// The descriptor that a name stands for.
    private static func descriptor(_ path: String) -> Int32? {
        switch path {
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
            return folder.flatMap { Int32(path.dropFirst($0.count)) }
        }
    }

    /// What a link says; `nil` for what is none.
    private static func target(_ path: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    }
}
