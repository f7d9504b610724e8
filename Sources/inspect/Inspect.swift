import ArgumentParser
import Foundation

/// The `inspect` command: parses the arguments, runs the subcommand, and turns what it throws into one line and an exit status.
@main
struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Record, filter and inspect the HTTP(S) traffic of your apps.",
        // With the commands below it fits a screen of 60 lines.
        discussion: "Try 'inspect demo', then 'inspect start'; 'inspect man' lists the manual.",
        version: BuildVersion.text,
        subcommands: [
            StartCommand.self, StatusCommand.self, StopCommand.self, DemoCommand.self, RunCommand.self,
            EnvCommand.self, BrowserCommand.self,
            FilterCommand.self, ListCommand.self, SearchCommand.self,
            ShowCommand.self,
            TailCommand.self,
            TagCommand.self, NoteCommand.self, FavouriteCommand.self, SavedCommand.self, ClearCommand.self,
            StoreCommand.self, CompactCommand.self,
            PauseCommand.self,
            ExportCommand.self, ImportCommand.self, HARCommand.self, StatisticsCommand.self, AssertCommand.self,
            CheckCommand.self, OpenAPICommand.self,
            CompleteCommand.self,
            ReplayCommand.self, DiffCommand.self, MockCommand.self, CACommand.self, DoctorCommand.self,
            SystemProxyCommand.self, MCPCommand.self,
            PassThroughCommand.self, TLSCommand.self,
            FacilitiesCommand.self, FacilityCommand.self, AlertsCommand.self, MeetingsCommand.self,
            MenusCommand.self, FoodCommand.self, SwipesCommand.self,
            DatasetsCommand.self,
            FacilityAPICommand.self,
            ConfigCommand.self, ManualCommand.self, CompletionsCommand.self,
        ]
    )

    /// The first words of every command line.
    static var commandNames: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        let (arguments, remarks) = FormerSpelling.replaced(in: Array(CommandLine.arguments.dropFirst()))
        for remark in remarks { Console.remark("inspect: \(remark)") }
        do {
            var command = try Self.command(arguments, environment: ProcessInfo.processInfo.environment)
            if var asynchronous = command as? AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            CommandFailure(error, arguments: [_commandName] + arguments).exit()
        }
    }

    /// The command that a command line names, with what the environment and the configuration file add.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the program's name.
    ///   - environment: the process's variables.
    /// - Returns: the command, parsed and validated.
    /// - Throws: what `CommandFailure` makes a line of: a mistake, or the wish for help.
    static func command(_ arguments: [String], environment: [String: String]) throws -> any ParsableCommand {
        let words = QueryArguments.shielded(arguments)
        let all = try ConfiguredRoot.words(words, environment: environment)
        do {
            return try parseAsRoot(all)
        } catch {
            if all != words, !exitCode(for: error).isSuccess {
                try ConfiguredRoot.explain(words, environment: environment)
            }
            throw error
        }
    }
}
