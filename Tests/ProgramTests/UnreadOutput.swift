import Support

/// `inspect` whose output nobody reads: the reader is gone before it says anything.
enum UnreadOutput {
    /// Runs it.
    ///
    /// - Parameters:
    ///   - arguments: its command line.
    ///   - environment: as in `CommandLineTool`.
    /// - Returns: its exit status as a line of the output, and what it said on standard error.
    /// - Throws: as `CommandLineTool` does.
    static func run(
        _ arguments: [String],
        environment: [String: String?] = [:]
    ) async throws -> CommandLineTool.Result {
        let script = #"exec 3> >(true); wait $!; "$0" "$@" >&3; echo $?"#
        return try await CommandLineTool.run(
            try CommandLineTool.find("bash"),
            ["-c", script, try Executable.inspect()] + arguments,
            environment: environment
        )
    }
}
