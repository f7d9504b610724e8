import ArgumentParser
import Store

/// Whether `inspect start` runs in the background, and whether it opens the page.
struct BackgroundOptions: ParsableArguments {
    @Flag(help: "Run in the background, detached from the terminal. The command returns when clients are answered.")
    var daemon = false

    @Flag(help: "Open the page in your browser. Where a proxy runs on the store already, open its page and end.")
    var open = false

    /// The words of the command line that `--daemon` starts its process with.
    @Flag(help: .hidden)
    var detached = false

    /// The file that the log goes to; `nil` for standard error.
    func logPath(_ options: StartOptions) -> String? {
        options.logging.givenFile ?? (daemon || detached ? TrafficStore.file(named: options.store.path) + ".log" : nil)
    }
}
