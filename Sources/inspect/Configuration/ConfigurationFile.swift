import Foundation
import Yams

/// A configuration file as it is written: options by their long names, and profiles that set more of them.
///
///     web-port: 9191
///     pass-through: [bank.test, "*.push.test"]
///     profiles:
///       ci: {port: 0, web-port: 0, session: ci}
struct ConfigurationFile {
    /// What stands for an option.
    enum Written: Equatable {
        /// Plain or quoted text.
        case text(String, isQuoted: Bool)
        case list([String])
        case nothing
        /// A value that no option takes, named in a word.
        case other(String)
    }

    /// An option with its place.
    struct Entry {
        let key: String
        let value: Written
        /// Where the key is.
        let line: Int
        let column: Int
        /// Where the value is.
        let valueLine: Int
        let valueColumn: Int
    }

    /// A named set of options.
    struct Profile {
        let name: String
        let line: Int
        let column: Int
        let entries: [Entry]
    }

    /// Bytes of a file, at most.
    private static let limitBytes = 1 << 20

    let path: String
    let entries: [Entry]
    let profiles: [Profile]
    /// What is wrong with the file's form; `ConfigurationCheck` checks the values of the options.
    let problems: [ConfigurationProblem]

    /// The directory that the file's relative paths start from.
    var directory: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

    /// Reads a file.
    ///
    /// - Throws: `InputError` when the file cannot be read, `ConfigurationProblem` when it is no YAML.
    init(path: String) throws {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw InputError("the configuration file \(path) cannot be read; name another with --config")
        }
        guard bytes.count <= Self.limitBytes, let text = String(validating: bytes, as: UTF8.self) else {
            throw InputError("the configuration file \(path) is no UTF-8 text of at most 1 MiB")
        }
        try self.init(text: text, path: path)
    }

    /// Reads a text.
    ///
    /// - Throws: `ConfigurationProblem` when it is no YAML.
    init(text: String, path: String) throws {
        self.path = path
        var reader = Reader(path: path)
        (entries, profiles) = reader.document(try Self.compose(text, path))
        problems = reader.problems
    }

    /// The options that hold with a profile: the profile's replace the same options of the file, and options that they exclude.
    ///
    /// - Throws: `InputError` when the file has no profile of this name.
    func effective(profile: String?) throws -> [Entry] {
        guard let profile else { return entries }
        guard let chosen = profiles.first(where: { $0.name == profile }) else {
            let names = profiles.map(\.name)
            let known = names.isEmpty ? "it has none" : "it has " + names.joined(separator: ", ")
            throw InputError("\(path) has no profile \(profile); \(known)")
        }
        return chosen.entries
            + entries.filter { entry in
                !chosen.entries.contains { ConfigurableOption.replaces($0.key, entry.key) }
            }
    }

    private static func compose(_ text: String, _ path: String) throws -> Node? {
        do {
            return try YAMLNode.compose(text)
        } catch let error as YamlError {
            let (line, column, sentence) = YAMLNode.problem(error)
            throw ConfigurationProblem(path: path, line: line, column: column, sentence: sentence)
        }
    }

    /// Walks the nodes and notes those that do not belong there.
    private struct Reader {
        private static let profilesKey = "profiles"

        let path: String
        var problems: [ConfigurationProblem] = []

        init(path: String) { self.path = path }

        mutating func document(_ node: Node?) -> ([Entry], [Profile]) {
            guard let node, !isNothing(node) else { return ([], []) }
            guard case .mapping(let mapping) = node else {
                note(node, "expected options by name, as in 'port: 9090'")
                return ([], [])
            }
            let own = mapping.first { $0.key.scalar?.string == Self.profilesKey }
            return (entries(mapping, without: Self.profilesKey), own.map { profiles($0.value) } ?? [])
        }

        private mutating func profiles(_ node: Node) -> [Profile] {
            if isNothing(node) { return [] }
            guard case .mapping(let mapping) = node else {
                note(node, "expected names with options, as in 'ci: {port: 0}'")
                return []
            }
            var profiles: [Profile] = []
            for (name, content) in mapping {
                let mark = place(name)
                var entries: [Entry] = []
                if case .mapping(let options) = content {
                    entries = self.entries(options)
                } else if !isNothing(content) {
                    note(content, "expected options by name, as in 'port: 0'")
                }
                let text = name.scalar?.string ?? ""
                if text.isEmpty { note(name, "expected the name of a profile") }
                profiles.append(Profile(name: text, line: mark.line, column: mark.column, entries: entries))
            }
            return profiles
        }

        private mutating func entries(_ mapping: Node.Mapping, without left: String? = nil) -> [Entry] {
            var entries: [Entry] = []
            for (key, value) in mapping {
                guard let name = key.scalar?.string else {
                    note(key, "expected the name of an option")
                    continue
                }
                if name == left { continue }
                let (mark, place) = (place(key), place(value))
                entries.append(
                    Entry(
                        key: name,
                        value: written(value),
                        line: mark.line,
                        column: mark.column,
                        valueLine: place.line,
                        valueColumn: place.column
                    )
                )
            }
            return entries
        }

        private func written(_ node: Node) -> Written {
            if isNothing(node) { return .nothing }
            switch node {
            case .scalar(let scalar):
                return .text(scalar.string, isQuoted: scalar.style != .plain && scalar.style != .any)
            case .sequence(let sequence):
                let texts = sequence.compactMap { isNothing($0) ? nil : $0.scalar?.string }
                return texts.count == sequence.count ? .list(texts) : .other("a list of more than texts")
            case .mapping: return .other("a mapping")
            case .alias: return .other("an alias")
            }
        }

        private func isNothing(_ node: Node) -> Bool {
            guard let scalar = node.scalar, scalar.style == .plain || scalar.style == .any else { return false }
            return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
        }

        private func place(_ node: Node) -> (line: Int, column: Int) {
            (node.mark?.line ?? 1, node.mark?.column ?? 1)
        }

        private mutating func note(_ node: Node, _ sentence: String) {
            let mark = place(node)
            problems.append(
                ConfigurationProblem(path: path, line: mark.line, column: mark.column, sentence: sentence)
            )
        }
    }
}
