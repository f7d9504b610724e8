import Foundation

/// The files that programs of this user have open, where the system tells: Linux does (proc_pid_fd(5)).
enum OpenFiles {
    /// Whether a program has one of these files open.
    static func hold(anyOf paths: [String]) -> Bool {
        let wanted = paths.compactMap(Self.status)
        let endings = Set(paths.map { "/" + URL(fileURLWithPath: $0).lastPathComponent })
        let files = FileManager.default
        guard !wanted.isEmpty else { return false }
        return Self.names(in: "/proc").contains { process in
            let folder = "/proc/\(process)/fd"
            return Self.names(in: folder).contains { number in
                // Asked of what has the name only: a file on a disk that is gone would not answer.
                guard let target = try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(number)"),
                    endings.contains(where: target.hasSuffix), let found = Self.status("\(folder)/\(number)")
                else { return false }
                return wanted.contains { $0.st_dev == found.st_dev && $0.st_ino == found.st_ino }
            }
        }
    }

    /// The entries of a folder whose names are numbers: processes or descriptors.
    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { Int($0) != nil }
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }
}
