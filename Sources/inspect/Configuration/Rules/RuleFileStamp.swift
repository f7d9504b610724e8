/// What tells whether rules files have changed since they were read: which there are, and the state of each.
struct RuleFileStamp: Equatable, Sendable {
    private struct Mark: Equatable {
        let path: String
        /// `nil` where there is no such file.
        ///
        /// Another file in its place differs even where its length and its time are the same.
        let status: FileStatus?
    }

    private let marks: [Mark]

    /// Looks at the files as they are now.
    ///
    /// - Parameter paths: files and directories, as `RuleFiles` takes them.
    init(of paths: [String]) {
        marks = paths.flatMap { path in (try? RuleFiles.files(path)) ?? [path] }
            .map { Mark(path: $0, status: FileStatus(of: $0)) }
    }
}
