import Foundation

/// What tells whether rules files have changed since they were read: which there are, and the time and the length of each.
struct RuleFileStamp: Equatable, Sendable {
    private struct Mark: Equatable {
        /// Where links lead, which may lead elsewhere later.
        let target: String
        /// `nil` where there is no such file.
        let modified: Date?
        let bytes: Int64?
    }

    private let marks: [Mark]

    /// Looks at the files as they are now.
    ///
    /// - Parameter paths: files and directories, as `RuleFiles` takes them.
    init(of paths: [String]) {
        let manager = FileManager.default
        marks = paths.flatMap { path in (try? RuleFiles.files(path)) ?? [path] }.map { file in
            let target = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
            let attributes = try? manager.attributesOfItem(atPath: target)
            return Mark(
                target: target,
                modified: attributes?[.modificationDate] as? Date,
                bytes: (attributes?[.size] as? NSNumber)?.int64Value
            )
        }
    }
}
