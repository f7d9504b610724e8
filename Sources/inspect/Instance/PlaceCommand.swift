import ArgumentParser
import Foundation
import Store
import Traffic
import Web

/// A command whose `--json` is what a place of the page shows.
protocol PlaceCommand: ParsableCommand {
    /// Writes what the command shows of the exchanges that a filter selects.
    ///
    /// - Throws: `InputError` where they hold nothing of it.
    func write(to console: Console, _ filter: Filter, in store: TrafficStore) throws
}

/// How an address's options become a command's arguments.
struct PlaceArguments {
    /// The argument that stands without a name, by its name in an address.
    var positional: String?
    /// Options with a value, by their names in an address, which are the command's unless another is given: a facet's name is the filter's.
    var values: [String: String]
    var flags: Set<String> = []

    init(_ values: [String], flags: [String] = [], renamed: [String: String] = [:], positional: String? = nil) {
        self.positional = positional
        self.values = Dictionary(uniqueKeysWithValues: values.map { ($0, $0) }).merging(renamed) { $1 }
        self.flags = Set(flags)
    }

    var names: Set<String> {
        Set(values.keys).union(flags).union(positional.map { [$0] } ?? [])
    }

    /// The arguments of a command that prints JSON.
    ///
    /// - Throws: `PlaceProblem` for a flag that is neither true nor false.
    func arguments(_ options: [(name: String, value: String)]) throws -> [String] {
        var (arguments, rest) = (["--json"], [String]())
        for (name, value) in options {
            if name == positional {
                rest = ["--", value]
            } else if let option = values[name] {
                arguments.append("--\(option)=\(value)")
            } else {
                switch value {
                case "", "true": arguments.append("--\(name)")
                case "false": break
                default: throw PlaceProblem("\(name)=\(value): expected true or false")
                }
            }
        }
        return arguments + rest
    }
}

extension PlaceAnswers.Place {
    /// A place that shows what a command prints as JSON.
    init<Command: PlaceCommand>(
        _ name: String,
        _ command: Command.Type,
        _ arguments: PlaceArguments,
        mark: (@Sendable (PlaceAnswers.MarkedNames, TrafficStore) throws -> Int)? = nil
    ) {
        self.init(name, command, arguments, mark: mark) { command, console, question in
            try command.write(to: console, question.filter, in: question.store)
        }
    }

    /// A place that shows what a closure writes with a command that was read from the address.
    init<Command: ParsableCommand>(
        _ name: String,
        _: Command.Type,
        _ arguments: PlaceArguments,
        mark: (@Sendable (PlaceAnswers.MarkedNames, TrafficStore) throws -> Int)? = nil,
        write: @escaping @Sendable (Command, Console, PlaceAnswers.Question) throws -> Void
    ) {
        self.init(name, options: arguments.names, mark: mark) { question in
            try PlaceProblem.told {
                let command: Command
                do {
                    command = try Command.parse(try arguments.arguments(question.options))
                } catch let problem as PlaceProblem {
                    throw problem
                } catch {
                    throw PlaceProblem(PlaceProblem.sentence(Command.message(for: error)))
                }
                let console = Console(gathering: ())
                try write(command, console, question)
                return console.gathered()
            }
        }
    }
}

extension PlaceProblem {
    /// Runs a command's work and tells its errors as the page's.
    ///
    /// - Parameters:
    ///   - inputErrors: what an `InputError` is here.
    ///   - body: the work.
    /// - Returns: what it comes to.
    /// - Throws: `PlaceProblem` in place of a command's own errors.
    static func told<Value>(inputErrors: Kind = .absence, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as InputError {
            throw PlaceProblem(sentence(error.description), inputErrors)
        } catch let error as ValidationError {
            throw PlaceProblem(sentence(error.message))
        }
    }

    /// A command's sentence for somebody who gave no options.
    static func sentence(_ text: String) -> String {
        let line = text.split(separator: "\n").first.map(String.init) ?? text
        let bare = line.replacing(" --", with: " ")
        return bare.hasPrefix("--") ? String(bare.dropFirst(2)) : bare
    }
}
