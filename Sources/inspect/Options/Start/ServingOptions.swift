import ArgumentParser

/// What a running proxy serves beside its listeners: its page, and the system's settings that lead programs to the proxy.
struct ServingOptions: ParsableArguments {
    @Option(
        name: .customLong("web-port"),
        help: ArgumentHelp(
            "The page's port; 0 picks one and prints it.",
            discussion: "Default: 9091; any free one for demo.",
            valueName: "n"
        )
    )
    var givenWebPort: Int?

    @Flag(
        name: .customLong("system-proxy"),
        help: ArgumentHelp(
            "Send this user's programs through the proxy by the system's settings while it runs (see 'inspect system-proxy').",
            discussion: "With --pac-include or --pac-exclude the settings name the script /proxy.pac."
        )
    )
    var isSystemProxy = false

    @Option(
        help: ArgumentHelp(
            "Keep the page's token in this file, so that the next start has the same. The file is made where there is none.",
            discussion: "Programs that ask for /metrics read it there. Without it each start has a token of its own.",
            valueName: "file"
        ),
        completion: .file()
    )
    var webTokenFile: String?

    /// The page's port.
    func webPort(_ ports: ListenOptions.DefaultPorts) -> Int { givenWebPort ?? (ports == .known ? 9_091 : 0) }

    /// The page's token: the file's, or a new one.
    ///
    /// - Throws: `InputError` when the file cannot be read or made, or others may read it.
    func webToken() throws -> String { try webTokenFile.map { try TokenFile(path: $0).token() } ?? TokenFile.fresh() }

    mutating func validate() throws {
        if webTokenFile?.isEmpty == true { throw ValidationError("--web-token-file has an empty value; name a file") }
        if let givenWebPort, !(0...65_535).contains(givenWebPort) {
            throw ValidationError("--web-port \(givenWebPort): expected 0 to 65535")
        }
    }
}
