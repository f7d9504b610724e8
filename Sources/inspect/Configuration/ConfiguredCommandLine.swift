import ArgumentParser
import Foundation

/// A command line with what the environment and the configuration file add to it: a flag beats the environment, and the environment the file.
struct ConfiguredCommandLine {
    /// The words to parse: those of the environment and the file stand behind the command line's own.
    let words: [String]
    /// The value of each option that is set, with what sets it, in the order of the options.
    let values: [ConfiguredValue]
    /// The file that was read.
    let file: ConfigurationFile?
    /// The profile that holds.
    let profile: String?
    /// Variables named `INSPECT_…` that set no option.
    let strangers: [String]
    /// The options that the command line, the environment and the file may set.
    let options: [ConfigurableOption]
    private let given: (own: [String], rest: [String])
    private let command: any ConfiguredCommand.Type

    /// Variables of this program that belong to no option.
    private static let others: Set<String> = ["INSPECT_CONFIG"]

    /// - Parameters:
    ///   - words: what was given behind the command.
    ///   - command: the command that has the options.
    ///   - environment: the process's variables.
    ///   - read: gives the configuration file; unless replaced, as it is on the disk now.
    /// - Throws: `ConfigurationProblem` or `InputError`: what of the file or the environment is wrong; mistakes of the command line are left to the parser.
    init(
        _ words: [String],
        for command: any ConfiguredCommand.Type,
        environment: [String: String],
        read: (ConfigurationSources) throws -> ConfigurationFile? = { try $0.file() }
    ) throws {
        let information = try CommandInformation(of: command)
        given = information.split(words)
        let line = CommandLineWords(given.own)
        // The file is one for all commands: what is wrong with it is wrong for each.
        let known = try ConfigurableOption.all(of: StartCommand.self)
        let own = Set(information.arguments.flatMap(\.longNames)).subtracting(command.unconfigured)
        options = known.filter { own.contains($0.name) }
        let sources = try ConfigurationSources(commandLine: line, environment: environment)
        file = try read(sources)
        profile = file.flatMap { sources.profile(of: $0) } ?? sources.profile
        if file == nil, let profile {
            throw InputError("there is no configuration file that could have a profile \(profile)")
        }
        var filed: [ConfiguredValue] = []
        if let file {
            let entries = try file.effective(profile: profile)
            let reading = file.read(entries, for: known, home: sources.home)
            if let first = (file.problems + reading.problems).min(by: { ($0.line, $0.column) < ($1.line, $1.column) }) {
                throw first
            }
            filed = reading.values
        }
        let found = try options.compactMap { option in
            if line.names(option) { return ConfiguredCommandLine.given(option, in: line) }
            return try sources.value(of: option) ?? filed.first { $0.option.name == option.name }
        }
        values = found.filter { value in
            !found.contains { other in
                other.source.rank < value.source.rank
                    && ConfigurableOption.replaces(other.option.name, value.option.name)
            }
        }
        let variables = Set(known.map(\.variable)).union(Self.others)
        strangers = environment.keys.filter { $0.hasPrefix("INSPECT_") && !variables.contains($0) }.sorted()
        self.words = Self.words(given, with: values.filter { $0.source != .flag }.flatMap(\.words))
        self.command = command
    }

    /// A command line with further options in it: behind our own words, before another program's.
    private static func words(_ given: (own: [String], rest: [String]), with added: [String]) -> [String] {
        // An option that takes several values would take another program's name for one more.
        let needsEnd = !added.isEmpty && given.rest.first.map { !$0.hasPrefix("-") } ?? false
        return given.own + added + (needsEnd ? ["--"] : []) + given.rest
    }

    /// The command with its options.
    ///
    /// - Throws: what of the file or the environment is wrong, and what the parser says of the command line.
    func parsed<Command: ConfiguredCommand>(as type: Command.Type) throws -> Command {
        do {
            return try type.parse(words)
        } catch {
            try explain()
            throw error
        }
    }

    /// Says by its place what the parser only says by the option's name, where the command line alone is right: for words that it will not have.
    ///
    /// - Throws: `ConfigurationProblem` or `InputError`; nothing where the command line itself is wrong.
    func explain() throws {
        func parse(_ added: [String]) throws { _ = try command.parse(Self.words(given, with: added)) }
        let added = values.filter { $0.source != .flag }
        guard !added.isEmpty, (try? parse([])) != nil else { return }
        let check = ConfigurationCheck { try parse($0) }
        guard let culprit = check.culprits(added).first else { return }
        switch culprit.value?.source {
        case .file(let path, let line, let column)?:
            throw ConfigurationProblem(path: path, line: line, column: column, sentence: culprit.sentence)
        case .environment(let name)?: throw InputError("\(name): \(culprit.sentence)")
        default: throw InputError("\(culprit.sentence) (see 'inspect config show')")
        }
    }

    /// The value of an option that the command line names.
    private static func given(_ option: ConfigurableOption, in line: CommandLineWords) -> ConfiguredValue {
        let values: [String]
        switch option.kind {
        case .flag(let inverse):
            let last = line.words.last { $0 == "--\(option.name)" || $0 == inverse.map { "--\($0)" } }
            values = [last == "--\(option.name)" ? "true" : "false"]
        case .list: values = line.values(of: option.name, takesSeveral: option.information.takesSeveral)
        case .value: values = line.values(of: option.name).suffix(1)
        }
        return ConfiguredValue(option: option, values: values, source: .flag)
    }
}
