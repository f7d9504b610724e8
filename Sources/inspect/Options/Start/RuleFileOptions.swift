import ArgumentParser

/// `--rules`: the files of the rules that change traffic in flight.
struct RuleFileOptions: ParsableArguments {
    @Option(
        name: .customLong("rules"),
        help: ArgumentHelp(
            "Change traffic by the rules of this file, or of the .yaml and .yml files of this directory. May be repeated.",
            discussion: "It is read again when it changes, and at SIGHUP. See 'inspect man changing-traffic'.",
            valueName: "file"
        ),
        completion: .file()
    )
    var paths: [String] = []

    mutating func validate() throws {
        if paths.contains("") {
            throw ValidationError("--rules has an empty value; name a file, for example --rules rules.yaml")
        }
    }
}
