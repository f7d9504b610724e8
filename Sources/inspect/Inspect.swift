import ArgumentParser
import Foundation

/// The `inspect` command: parses the arguments, runs the subcommand, and turns what it throws into one line and an exit status.
@main
struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Record, filter and inspect the HTTP(S) traffic of your apps.",
        discussion: "Try 'inspect start --open', or 'inspect demo'; 'inspect man' lists the manual.",
        version: BuildVersion.text,
        groupedSubcommands: groups
    )

    /// The commands as `inspect help` groups them; the last group is what scripts, shells and tests call, and is in no list.
    private static let groups = [
        CommandGroup(
            name: "Proxy",
            subcommands: [
                StartCommand.self, StopCommand.self, StatusCommand.self, RunCommand.self, EnvCommand.self,
                BrowserCommand.self, RulesCommand.self, PassThroughCommand.self, SystemProxyCommand.self,
                DoctorCommand.self,
            ]
        ),
        CommandGroup(
            name: "Look",
            subcommands: [
                FilterCommand.self, ListCommand.self, SearchCommand.self, ShowCommand.self, TailCommand.self,
                StatisticsCommand.self,
            ]
        ),
        CommandGroup(
            name: "Mark",
            subcommands: [
                MarkCommand.self, SavedCommand.self, ClearCommand.self, PauseCommand.self, StoreCommand.self,
            ]
        ),
        CommandGroup(
            name: "Compare",
            subcommands: [
                ReplayCommand.self, DiffCommand.self, CheckCommand.self, AssertCommand.self, MockCommand.self,
            ]
        ),
        CommandGroup(name: "Archive", subcommands: [ExportCommand.self, ImportCommand.self, HARCommand.self]),
        CommandGroup(name: "Trust", subcommands: [CACommand.self, TLSCommand.self]),
        CommandGroup(
            name: "Lenses",
            subcommands: [
                FacilitiesCommand.self, MeetingsCommand.self, DatasetsCommand.self, MenusCommand.self,
            ]
        ),
        CommandGroup(name: "Tools", subcommands: [DemoCommand.self, ConfigCommand.self, MCPCommand.self]),
        CommandGroup(
            name: "Plumbing",
            subcommands: [
                ManualCommand.self, CompleteCommand.self, CompletionsCommand.self, FacilityAPICommand.self,
            ]
        ),
    ]

    /// The first words of every command line.
    static var commandNames: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

    /// Without a command it says how things stand, and what to do next.
    func run() throws {
        let console = Console()
        for line in FirstScreen(storePath: Places.current.store).lines(console.style) { try console.line(line) }
        try console.flush()
    }

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        let (arguments, remarks) = FormerSpelling.replaced(in: Array(CommandLine.arguments.dropFirst()))
        for remark in remarks { Console.remark("inspect: \(remark)") }
        do {
            var command = try Self.command(arguments, environment: ProcessInfo.processInfo.environment)
            if var asynchronous = command as? any AsyncParsableCommand {
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
        if CommandList.isAskedFor(by: arguments) { throw CleanExit.message(CommandList(of: configuration).text) }
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
