import ArgumentParser
import Foundation
import Traffic

/// `inspect config check`: whether a configuration file is right.
struct ConfigCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what is wrong with a configuration file.",
        discussion: """
            Each line names the place and what would be right. It also checks the files that the file names. Exit status 1 means a mistake.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The file.",
            discussion: "Default: $INSPECT_CONFIG, else inspect/config.yaml under $XDG_CONFIG_HOME (~/.config).",
            valueName: "file"
        ),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var file: String?

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let words = CommandLineWords(file.map { ["--config", $0] } ?? [])
        let sources = try ConfigurationSources(commandLine: words, environment: environment)
        guard let path = sources.path else {
            let usual = ConfigurationSources.usualPath(environment, sources.home)
            throw InputError("there is no configuration file \(usual); name one: inspect config check FILE")
        }
        let console = Console(outlivesReader: true)
        do {
            let file = try ConfigurationFile(path: path)
            let problems = try ConfigurationCheck.start.problems(
                of: file,
                options: ConfigurableOption.all(of: StartCommand.self),
                home: sources.home
            )
            for problem in problems { try console.line(VisibleText.line(problem.description)) }
            if problems.isEmpty { try console.line(VisibleText.line(Self.praise(file))) }
            try console.flush()
            if !problems.isEmpty { throw ExitCode(1) }
        } catch let problem as ConfigurationProblem {
            try console.line(VisibleText.line(problem.description))
            try console.flush()
            throw ExitCode(1)
        }
    }

    private static func praise(_ file: ConfigurationFile) -> String {
        let count = file.entries.count
        let profiles = file.profiles.map(\.name)
        return "\(file.path): ok, \(count.counted("option"))"
            + (profiles.isEmpty ? "" : ", profiles \(profiles.joined(separator: ", "))")
    }
}
