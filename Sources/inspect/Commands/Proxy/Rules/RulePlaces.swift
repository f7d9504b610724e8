import Foundation

/// Where the rules are that hold without being named on a command line.
enum RulePlaces {
    /// The files and directories of the running proxy of a store, else those of the configuration.
    ///
    /// - Throws: `InputError` or `ConfigurationProblem` when the configuration cannot be read.
    static func usual(
        _ store: StoreOptions,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> [String] {
        if let running = try InstanceFile.read(for: store.path) { return running.rules ?? [] }
        return try configured(environment)
    }

    /// The files and directories that the configuration names for `start`.
    private static func configured(_ environment: [String: String]) throws -> [String] {
        let line = try ConfiguredCommandLine([], for: StartCommand.self, environment: environment)
        return line.values.first { $0.option.name == "rules" }?.values ?? []
    }
}
