import ArgumentParser

extension ConfigurationCheck {
    /// Checks values by what `start` takes, and reads the files that they name.
    static var start: ConfigurationCheck {
        ConfigurationCheck { words in
            _ = try StartCommand.parse(words).options.configuration(ports: .known)
        }
    }
}
