extension ConfigurationCheck {
    /// Holds values to what `start` takes, and looks at the files that they name.
    static var start: ConfigurationCheck {
        ConfigurationCheck { words in
            _ = try StartCommand.parse(words).options.configuration(ports: .known)
        }
    }
}
