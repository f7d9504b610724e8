import ArgumentParser

/// `inspect pause`: what begins from now on passes the running proxy unrecorded.
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stop recording while the proxy passes traffic on.",
        discussion: """
            Exchanges that had begun are recorded to their end. The store counts those that pass unrecorded.

            Examples:
              inspect pause
              inspect resume
            """
    )

    @OptionGroup var store: StoreOptions

    func run() async throws {
        _ = try await RecordingState.set(isPaused: true, on: store)
        let console = Console()
        try console.line("Recording is paused: what begins now passes unrecorded until 'inspect resume'.")
        try console.flush()
    }
}
