import Foundation
import Traffic

/// Finds and opens the file of a directory that a request's path names.
enum DirectoryFile {
    /// What a path leads to.
    enum Found {
        /// The file, open.
        case file(OpenedFile)
        case missing
        /// It would leave the directory, by `..` or by a symbolic link.
        case outside
    }

    /// What the system says where there is no such file; anything else keeps from knowing that.
    private static let absences = [ENOENT, ENOTDIR, ENAMETOOLONG]

    /// Finds a file, and opens it.
    ///
    /// - Parameters:
    ///   - target: the request's target, in origin-form.
    ///   - directory: the directory, and which part of the path stands for it.
    /// - Returns: the file, or why there is none.
    /// - Throws: `RuleFault` when nobody can tell, or when it is no regular file.
    static func find(_ target: String, in directory: RuleAnswer.Directory) throws(RuleFault) -> Found {
        guard let root = resolved(directory.path) else { throw unusable(directory.path, errno) }
        let path = QueryString.split(target).path
        guard let parts = parts(of: path, behind: directory.strip) else { return .missing }
        var names: [String] = []
        for part in parts {
            let bytes = decoded(part)
            guard let name = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else { return .missing }
            guard name != ".." else { return .outside }
            guard name != ".", !bytes.contains(UInt8(ascii: "/")) else { return .missing }
            names.append(name)
        }
        if names.isEmpty || path.utf8.last == UInt8(ascii: "/") {
            guard let index = directory.index else { return .missing }
            names.append(index)
        }
        let place = ([root] + names).joined(separator: "/")
        guard let file = resolved(place) else {
            let code = errno
            guard absences.contains(code) else { throw unreadable(place, code) }
            return .missing
        }
        let base = root == "/" ? root : root + "/"
        guard file.utf8.starts(with: base.utf8) else { return .outside }
        return try opened(Array(file.utf8.dropFirst(base.utf8.count).split(separator: UInt8(ascii: "/"))), in: root)
    }

    /// The parts of a path behind a beginning, which is written with or without the signs of URLs; `nil` for a path that does not begin so.
    private static func parts(of path: Substring, behind beginning: String) -> ArraySlice<Substring.UTF8View>? {
        let slash = UInt8(ascii: "/")
        var parts = path.utf8.split(separator: slash)[...]
        for name in beginning.utf8.split(separator: slash) {
            guard let part = parts.popFirst(), decoded(part) == decoded(name) else { return nil }
        }
        return parts
    }

    private static func decoded(_ part: Substring.UTF8View) -> [UInt8] { PercentCoding.decoded(part, plus: .plus) }

    /// Opens a file below a directory name by name, and follows no link: what is opened is what was found, whoever changes the directory meanwhile.
    ///
    /// - Parameters:
    ///   - names: of the directories on the way, then of the file; none was a link when it was looked at.
    ///   - root: the directory, with every symbolic link followed.
    /// - Returns: the file, or why there is none.
    /// - Throws: `RuleFault` when it cannot be opened, or is no regular file.
    static func opened(_ names: [Substring.UTF8View], in root: String) throws(RuleFault) -> Found {
        let names = names.map { String(Substring($0)) }
        guard let last = names.last else { return .missing }
        var directory = open(root, onTheWay)
        guard directory >= 0 else { throw unusable(root, errno) }
        defer { close(directory) }
        for name in names.dropLast() {
            let next = openat(directory, name, onTheWay | O_NOFOLLOW)
            guard next >= 0 else { return try refused(name, of: directory, errno, in: root) }
            close(directory)
            directory = next
        }
        let file = openat(directory, last, OpenedFile.flags | O_NOFOLLOW)
        guard file >= 0 else { return try refused(last, of: directory, errno, in: root) }
        guard FileStatus(of: file)?.isDirectory != true else {
            close(file)
            return .missing
        }
        return .file(try OpenedFile(taking: file, path: "\(root)/\(names.joined(separator: "/"))"))
    }

    /// How a directory on the way is opened; on Linux nobody needs to be allowed to list it.
    private static var onTheWay: Int32 {
        #if os(Linux)
        // O_PATH, which the C library tells C programs only.
        0x20_0000 | O_CLOEXEC | O_DIRECTORY
        #else
        O_RDONLY | O_CLOEXEC | O_DIRECTORY
        #endif
    }

    /// Why a name of a directory could not be opened.
    private static func refused(
        _ name: String,
        of directory: Int32,
        _ code: Int32,
        in root: String
    ) throws(RuleFault) -> Found {
        var status = stat()
        if fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFLNK {
            return .outside
        }
        guard absences.contains(code) else { throw unreadable("\(root)/…/\(name)", code) }
        return .missing
    }

    private static func unreadable(_ path: String, _ code: Int32) -> RuleFault {
        RuleFault("the file \(path) cannot be read: \(String(cString: strerror(code)))")
    }

    private static func unusable(_ path: String, _ code: Int32) -> RuleFault {
        RuleFault("the directory \(path) cannot be read: \(String(cString: strerror(code)))")
    }

    /// The path with every symbolic link followed; `nil` where there is nothing.
    private static func resolved(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
