import ArgumentParser

/// What is logged, how and where.
struct LogOptions: ParsableArguments {
    @Option(
        name: .customLong("log-level"),
        help: ArgumentHelp(
            "Log from this level on: \(LogLevel.allCases.map(\.rawValue).joined(separator: ", ")).",
            discussion: "Default: warning; info for --daemon and --log-file.",
            valueName: "level"
        )
    )
    private var givenLevel: LogLevel?

    @Option(
        name: .customLong("log-format"),
        help: ArgumentHelp("Lines of text, or one JSON object a line.", valueName: "format")
    )
    var format = LogFormat.text

    @Option(
        name: .customLong("log-file"),
        help: ArgumentHelp(
            "Append the log to this file; SIGHUP opens it anew.",
            discussion: "Default: standard error; the store's path with .log for --daemon.",
            valueName: "file"
        ),
        completion: .file()
    )
    var givenFile: String?

    /// The level that holds.
    func level(inFile: Bool) -> LogLevel { givenLevel ?? (inFile ? .info : .warning) }

    mutating func validate() throws {
        if givenFile?.isEmpty == true { throw ValidationError("--log-file has an empty value; name a file") }
    }
}
