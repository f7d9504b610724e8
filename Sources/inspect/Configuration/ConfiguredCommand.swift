import ArgumentParser

/// A command that takes the options it has in common with `start` from the configuration file and the environment too.
protocol ConfiguredCommand: ParsableCommand {
    /// The options that it takes from its command line alone.
    static var unconfigured: Set<String> { get }
}

extension ConfiguredCommand {
    static var unconfigured: Set<String> { [] }
}
