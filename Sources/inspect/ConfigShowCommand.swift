import ArgumentParser
import Foundation

/// `inspect config show`: what holds for `start`, and where each value comes from.
struct ConfigShowCommand: AsyncParsableCommand, ConfiguredCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract:
            "Print each option of 'start' with its value and what set it: flag, variable, line of the file, or default.",
        discussion: "Takes the options of 'start', to show what they would do. Passwords are covered."
    )

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var settings: StartSettings

    func run() async throws {
        let path = CommandPath(Array(CommandLine.arguments.dropFirst()))
        let line = try ConfiguredCommandLine(
            path.rest,
            for: Self.self,
            environment: ProcessInfo.processInfo.environment
        )
        let view = ConfigurationView(
            line,
            places: ["store": settings.options.store.path, "ca-directory": settings.options.authority.directory]
        )
        let console = Console()
        if json {
            try console.write(view.json(isIndented: console.isTerminal))
        } else {
            for line in view.lines(console.style) { try console.line(line) }
        }
        try console.flush()
    }
}
