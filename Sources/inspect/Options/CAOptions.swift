import ArgumentParser

/// `--ca-directory`: where this user's root certificate and its key are.
struct CAOptions: ParsableArguments {
    @Option(
        name: .customLong("ca-directory"),
        help: ArgumentHelp(
            "The directory of the root certificate and its key.",
            discussion: "Default: ca under $XDG_DATA_HOME/inspect (~/.local/share/inspect).",
            valueName: "dir"
        ),
        completion: .directory
    )
    private var given: String?

    /// The directory's path, named or by default.
    var directory: String { given ?? Places.current.certificates }

    mutating func validate() throws {
        if given?.isEmpty == true { throw ValidationError("--ca-directory has an empty value; name a directory") }
    }
}
