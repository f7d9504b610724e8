import ArgumentParser

/// `inspect pause`: what begins from now on passes the running proxy unrecorded.
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stop recording for a while; the running proxy passes on what comes.",
        discussion: """
            What had begun is recorded to its end. What passes unrecorded is counted, and the store says so.

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
