import ArgumentParser
import Store

/// Whether `inspect start` runs in the background.
struct BackgroundOptions: ParsableArguments {
    @Flag(help: "Run in the background, detached from the terminal. The command returns when clients are answered.")
    var daemon = false

    /// The words of the command line that `--daemon` starts its process with.
    @Flag(help: .hidden)
    var detached = false

    /// The file that the log goes to; `nil` for standard error.
    func logPath(_ options: StartOptions) -> String? {
        options.logging.givenFile ?? (daemon || detached ? TrafficStore.file(named: options.store.path) + ".log" : nil)
    }
}
