import ArgumentParser

/// An option that the configuration file and the environment may set: under its own long name.
struct ConfigurableOption {
    /// How the option is written.
    enum Kind: Equatable {
        /// One value.
        case value
        /// Any number of values.
        case list
        /// True or false; the second name, if there is one, says false on a command line.
        case flag(inverse: String?)
    }

    let name: String
    let kind: Kind
    let information: ArgumentInformation

    /// The variable that sets it: `INSPECT_WEB_PORT` for `web-port`.
    var variable: String { "INSPECT_" + name.uppercased().replacing("-", with: "_") }

    /// Whether a name on the command line is this option's.
    func isNamed(_ word: String) -> Bool {
        if word == name { return true }
        if case .flag(let inverse?) = kind { return word == inverse }
        return false
    }

    /// Options that exclude each other.
    private static let rivals: [Set<String>] = [["port", "listen-mode"]]

    /// Whether an option replaces another that is set farther from the command line: the same option, or one that it excludes.
    static func replaces(_ name: String, _ other: String) -> Bool {
        name == other || rivals.contains { $0.isSuperset(of: [name, other]) }
    }

    /// The options of a command that have a long name and a meaning in a file: all but `help`, `version` and `config`, which names the file.
    ///
    /// - Throws: `InputError` when its declarations cannot be read.
    static func all(of command: any ParsableCommand.Type) throws -> [ConfigurableOption] {
        let known = try CommandInformation(of: command).arguments.filter { $0.kind != .positional && $0.isShown }
        let flags = Set(known.filter { $0.kind == .flag }.flatMap(\.longNames))
        return known.compactMap { argument in
            guard let name = argument.longNames.first, !["help", "version", "config"].contains(name) else { return nil }
            guard argument.kind == .flag else {
                return ConfigurableOption(
                    name: name,
                    kind: argument.isRepeating ? .list : .value,
                    information: argument
                )
            }
            // The half that says no is the other one's.
            if name.hasPrefix("no-"), flags.contains(String(name.dropFirst(3))) { return nil }
            let inverse = flags.contains("no-" + name) ? "no-" + name : nil
            return ConfigurableOption(name: name, kind: .flag(inverse: inverse), information: argument)
        }
    }

    /// The words of a command line that set the option to these values; none where a flag has its default.
    ///
    /// A flag has the one value `true` or `false`.
    func words(_ values: [String]) -> [String] {
        switch kind {
        case .value, .list: return values.map { "--\(name)=\($0)" }
        case .flag(let inverse):
            if values == ["true"] { return ["--\(name)"] }
            return inverse.map { ["--\($0)"] } ?? []
        }
    }

    /// A value of the file with its place made whole: what names a file is relative to the configuration's directory, `~` is the home directory.
    func placed(_ value: String, in directory: String, home: String) -> String {
        guard information.completion != nil else { return value }
        // `HOST=FILE` names its file behind the sign.
        guard let equals = value.firstIndex(of: "="), information.valueName.contains("=") else {
            return ConfigurableOption.absolute(value, directory, home)
        }
        let path = String(value[value.index(after: equals)...])
        return value[...equals] + ConfigurableOption.absolute(path, directory, home)
    }

    private static func absolute(_ path: String, _ directory: String, _ home: String) -> String {
        if path.isEmpty || path.hasPrefix("/") { return path }
        if path == "~" { return home }
        return path.hasPrefix("~/") ? home + path.dropFirst() : directory + "/" + path
    }
}
