import Foundation

/// Finds the files of programs.
enum ProgramFile {
    /// The file of a program: the first of that name in a search path; `nil` where there is none.
    ///
    /// - Parameters:
    ///   - name: a name, or a path, which is not searched for.
    ///   - path: folders with colons between them; the usual ones where there is none.
    /// - Returns: the file's path.
    static func find(_ name: String, path: String?) -> String? {
        if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) ? name : nil }
        let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.lazy.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
    }
}
