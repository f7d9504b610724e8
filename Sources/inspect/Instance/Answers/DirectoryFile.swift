import Foundation
import Traffic

/// Finds the file of a directory that a request's path names.
enum DirectoryFile {
    /// What a path leads to.
    enum Found: Equatable {
        case file(String)
        case missing
        /// It would leave the directory, by `..` or by a symbolic link.
        case outside
        /// The directory itself cannot be read.
        case unusable(String)
    }

    /// What the system says where there is no such file; anything else keeps from knowing that.
    private static let absences = [ENOENT, ENOTDIR, ENAMETOOLONG]

    /// Finds a file.
    ///
    /// - Parameters:
    ///   - target: the request's target, in origin-form.
    ///   - directory: the directory, and which part of the path stands for it.
    /// - Returns: the file, with every symbolic link followed, or why there is none.
    static func find(_ target: String, in directory: RuleAnswer.Directory) -> Found {
        guard let root = resolved(directory.path) else { return .unusable(String(cString: strerror(errno))) }
        let path = QueryString.split(target).path
        guard path.utf8.starts(with: directory.strip.utf8) else { return .missing }
        var names: [String] = []
        for part in path.utf8.dropFirst(directory.strip.utf8.count).split(separator: UInt8(ascii: "/")) {
            let bytes = PercentCoding.decoded(part, plus: .plus)
            guard let name = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else { return .missing }
            guard name != ".." else { return .outside }
            guard name != ".", !bytes.contains(UInt8(ascii: "/")) else { return .missing }
            names.append(name)
        }
        if names.isEmpty || path.utf8.last == UInt8(ascii: "/") {
            guard let index = directory.index else { return .missing }
            names.append(index)
        }
        guard let file = resolved(([root] + names).joined(separator: "/")) else {
            let code = errno
            return absences.contains(code) ? .missing : .unusable(String(cString: strerror(code)))
        }
        guard file.utf8.starts(with: (root == "/" ? root : root + "/").utf8) else { return .outside }
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory), !isDirectory.boolValue else {
            return .missing
        }
        return .file(file)
    }

    /// The path with every symbolic link followed; `nil` where there is nothing.
    private static func resolved(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
