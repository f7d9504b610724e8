import ArgumentParser

/// `inspect resume`: the running proxy records again.
struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Record again after 'inspect pause'.",
        discussion: "It says how much passed unrecorded."
    )

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let missed = try await RecordingState.set(isPaused: false, on: store).missed
        let count = missed == 1 ? "1 exchange" : "\(missed) exchanges"
        let console = Console()
        try console.line("Recording: \(count) passed unrecorded in the last pause.")
        try console.flush()
    }
}
