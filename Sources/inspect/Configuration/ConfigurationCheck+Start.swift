import ArgumentParser

extension ConfigurationCheck {
    /// Checks values by what `start` takes, and reads the files that they name.
    static var start: ConfigurationCheck {
        ConfigurationCheck { words in
            let options = try StartCommand.parse(words).options
            _ = try options.configuration(ports: .known)
            _ = try RuleFiles.rules(at: options.ruling.paths, after: options.ruling.own)
        }
    }
}
