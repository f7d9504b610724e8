import ArgumentParser

/// All that `inspect start` takes, so that `inspect config show` takes the same.
struct StartSettings: ParsableArguments {
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup var options: StartOptions

    @Flag(help: "Run in the background, detached from the terminal: returns when clients are answered.")
    var daemon = false

    /// What the process is given that `--daemon` starts.
    @Flag(help: .hidden)
    var detached = false

    /// The file that the log goes to; `nil` for standard error.
    var logPath: String? {
        options.logging.givenFile ?? (daemon || detached ? options.store.path + ".log" : nil)
    }
}
