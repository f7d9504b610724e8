import ArgumentParser
import Traffic

/// `inspect pause`: what begins from now on passes the running proxy unrecorded, until the pause is taken back.
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stop recording while the proxy passes traffic on.",
        discussion: """
            Exchanges that had begun are recorded to their end. The store counts those that pass unrecorded; --remove says how many they were.

            Examples:
              inspect pause
              inspect pause --remove
            """
    )

    @Flag(help: "Record again.")
    var remove = false

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let state = try await RecordingState.set(isPaused: !remove, on: store)
        let console = Console()
        if remove {
            try console.line("Recording: \(state.missed.counted("exchange")) passed unrecorded in the last pause.")
        } else {
            try console.line("Recording is paused: what begins now passes unrecorded until 'inspect pause --remove'.")
        }
        try console.flush()
    }
}
