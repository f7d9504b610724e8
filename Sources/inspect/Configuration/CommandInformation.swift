import ArgumentParser
import Traffic

/// What a command takes, as its declarations say it: the one list of options that the configuration, the manual page and the tests read.
struct CommandInformation {
    let name: String
    let abstract: String
    let discussion: String
    let arguments: [ArgumentInformation]
    let subcommands: [CommandInformation]

    /// Reads the declarations of a command.
    ///
    /// - Throws: `InputError` when they cannot be read, which the tests rule out.
    init(of command: any ParsableCommand.Type) throws {
        guard let tree = try? JSONReader.value(Array(command._dumpHelp().utf8)), let own = tree["command"] else {
            throw InputError("the options of '\(command._commandName)' cannot be read")
        }
        self.init(own)
    }

    /// Splits a command line into our options with their values and the words behind them: those of another program, or all from `--` on.
    func split(_ words: [String]) -> (own: [String], rest: [String]) {
        let takesRest = arguments.contains(where: \.takesRest)
        var place = 0
        scan: while place < words.count, words[place] != "--" {
            let word = words[place]
            guard takesRest else {
                place += 1
                continue
            }
            guard let argument = named(word) else { break }
            place += 1
            if argument.kind != .option || word.contains("=") { continue }
            repeat {
                if place == words.count || argument.takesSeveral && words[place].hasPrefix("-") { continue scan }
                place += 1
            } while argument.takesSeveral
        }
        return (Array(words[..<place]), Array(words[place...]))
    }

    /// Whether a word is an option that the next one is the value of.
    func takesValue(_ word: String) -> Bool { named(word)?.kind == .option && !word.contains("=") }

    /// The option that a word names; `nil` for a word that names none of ours.
    private func named(_ word: String) -> ArgumentInformation? {
        guard word.hasPrefix("-") else { return nil }
        let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
        return arguments.first { argument in
            (word.hasPrefix("--") ? argument.longNames : argument.shortNames).contains { $0 == name }
        }
    }

    private init(_ json: JSONValue) {
        name = json["commandName"]?.string ?? ""
        abstract = json["abstract"]?.string ?? ""
        discussion = json["discussion"]?.string ?? ""
        arguments = (json["arguments"]?.elements ?? []).map(ArgumentInformation.init)
        // The parser adds its own 'help', which has nothing to configure and no page.
        subcommands = (json["subcommands"]?.elements ?? []).map(CommandInformation.init).filter { $0.name != "help" }
    }
}
