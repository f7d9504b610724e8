import ArgumentParser
import Traffic

/// `inspect rules check`: whether rules files are right.
struct RulesCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what is wrong with rules files.",
        discussion: """
            Mistakes go to standard error, each with its place, and make the exit status 2. A warning names a rule that can be read and is probably \
            not meant so. Several files are checked as one list, as 'start' reads them.

            Examples:
              inspect rules check rules.yaml
              inspect rules check rules/
            """
    )

    @Argument(
        help: ArgumentHelp("Files, and directories of .yaml and .yml files.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var files: [String]

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let report = RulesCheckReport(rules: try RuleFiles.rules(at: files))
        try Console(outlivesReader: true).write(report, output)
    }
}
