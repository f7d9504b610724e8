import Foundation

/// Where a command's configuration comes from beside its command line: a file, a profile of it, and the environment.
struct ConfigurationSources {
    /// The value that counts as unset, so that a variable can be emptied where it cannot be removed.
    private static let unset = ""

    /// The file to read; `nil` where none was named and none is at the default place.
    let path: String?
    /// The profile that was named; the file itself may name another.
    let profile: String?
    let environment: [String: String]
    let home: String

    /// - Parameters:
    ///   - commandLine: may name the file and the profile.
    ///   - environment: may name them too.
    /// - Throws: `InputError` when a named file does not exist.
    init(commandLine: CommandLineWords, environment: [String: String]) throws {
        self.environment = environment
        home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
        func variable(_ name: String) -> String? { environment[name].flatMap { $0 == Self.unset ? nil : $0 } }
        profile = commandLine.values(of: "profile").last ?? variable("INSPECT_PROFILE")
        if let named = commandLine.values(of: "config").last ?? variable("INSPECT_CONFIG") {
            guard FileManager.default.fileExists(atPath: named) else {
                throw InputError("there is no configuration file \(named); name another with --config")
            }
            path = URL(fileURLWithPath: named).standardizedFileURL.path
        } else {
            let usual = Self.usualPath(environment, home)
            path = FileManager.default.fileExists(atPath: usual) ? usual : nil
        }
    }

    /// `inspect/config.yaml` under `$XDG_CONFIG_HOME`, or under `~/.config` (XDG Base Directory Specification).
    static func usualPath(_ environment: [String: String], _ home: String) -> String {
        let shared = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
        return shared + "/inspect/config.yaml"
    }

    /// The file.
    ///
    /// - Throws: `InputError` or `ConfigurationProblem` when it cannot be read.
    func file() throws -> ConfigurationFile? { try path.map { try ConfigurationFile(path: $0) } }

    /// The profile that holds: the profile that was named, else the file's own.
    func profile(of file: ConfigurationFile) -> String? {
        if let profile { return profile }
        guard case .text(let name, _)? = file.entries.first(where: { $0.key == "profile" })?.value else { return nil }
        return name
    }

    /// The value that the environment gives an option; `nil` where it gives none.
    ///
    /// - Throws: `InputError` when a flag's variable is neither true nor false.
    func value(of option: ConfigurableOption) throws -> ConfiguredValue? {
        guard let text = environment[option.variable], text != Self.unset else { return nil }
        let values: [String]
        switch option.kind {
        case .value: values = [text]
        case .list: values = text.split(whereSeparator: \.isNewline).map(String.init)
        case .flag:
            switch text.lowercased() {
            case "true", "yes", "on", "1": values = ["true"]
            case "false", "no", "off", "0": values = ["false"]
            default: throw InputError("\(option.variable) is true or false, not '\(text)'")
            }
        }
        return ConfiguredValue(option: option, values: values, source: .environment(option.variable))
    }
}
