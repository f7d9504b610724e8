import ArgumentParser
import Foundation

/// What the configuration does to a command line before it is parsed.
enum ConfiguredRoot {
    /// The words to parse.
    ///
    /// A command that takes options from the configuration gets them as words of its own. For every other with a store or certificates the file
    /// names their default places, by the variables that `Places` reads, which the processes it starts have too.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the program's name.
    ///   - environment: the process's variables.
    /// - Returns: the command line to parse in its place.
    /// - Throws: what of the file or the environment is wrong.
    static func words(_ arguments: [String], environment: [String: String]) throws -> [String] {
        let path = CommandPath(arguments)
        // Without a command the program looks at the store as 'ls' does.
        guard let command = path.command ?? (arguments.isEmpty ? ListCommand.self : nil) else { return arguments }
        if let command = command as? any ConfiguredCommand.Type {
            guard isConfigured(path.rest, environment), !(try asksForHelp(command, path.rest)) else { return arguments }
            return path.names + (try ConfiguredCommandLine(path.rest, for: command, environment: environment).words)
        }
        guard !CommandLineWords(path.rest).asksForHelp else { return arguments }
        for place in try places(for: command, environment) where (environment[place.variable] ?? "").isEmpty {
            setenv(place.variable, place.path, 1)
        }
        return arguments
    }

    /// Says what of the file or the environment is wrong, for a command line that the parser will not have with them.
    ///
    /// - Throws: that; nothing where the command line itself is wrong.
    static func explain(_ arguments: [String], environment: [String: String]) throws {
        let path = CommandPath(arguments)
        guard let command = path.command as? any ConfiguredCommand.Type, isConfigured(path.rest, environment)
        else { return }
        try ConfiguredCommandLine(path.rest, for: command, environment: environment).explain()
    }

    /// Whether there may be anything beside the command line: finding out costs less than reading all options' declarations.
    private static func isConfigured(_ words: [String], _ environment: [String: String]) -> Bool {
        if environment.keys.contains(where: { $0.hasPrefix("INSPECT_") }) { return true }
        if words.contains(where: { $0.hasPrefix("--config") || $0.hasPrefix("--profile") }) { return true }
        let sources = try? ConfigurationSources(commandLine: CommandLineWords([]), environment: environment)
        return sources?.path != nil
    }

    /// Whether the words ask for something else than the command's work, such as help; words behind its options do not count.
    private static func asksForHelp(_ command: any ConfiguredCommand.Type, _ words: [String]) throws -> Bool {
        CommandLineWords(try CommandInformation(of: command).split(words).own).asksForHelp
    }

    /// The default places that the file names for a command.
    private static func places(
        for command: any ParsableCommand.Type,
        _ environment: [String: String]
    ) throws -> [(variable: String, path: String)] {
        let sources = try ConfigurationSources(commandLine: CommandLineWords([]), environment: environment)
        guard sources.path != nil else { return [] }
        let options = try ConfigurableOption.all(of: command).filter { ["store", "ca-directory"].contains($0.name) }
        guard !options.isEmpty, let file = try sources.file() else { return [] }
        let names = Set(options.map(\.name))
        let entries = try file.effective(profile: sources.profile(of: file)).filter { names.contains($0.key) }
        let reading = file.read(entries, for: options, home: sources.home)
        if let problem = reading.problems.first { throw problem }
        return reading.values.compactMap { value in value.values.first.map { (value.option.variable, $0) } }
    }
}
