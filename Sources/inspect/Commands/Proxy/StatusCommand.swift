import ArgumentParser
import Foundation

/// `inspect status`: says whether a proxy runs on a store, and what it measures.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say whether a proxy runs, where, and for how long.",
        discussion: """
            It also counts what was recorded and what waits to be written. The exit status is 1 where no proxy runs, or it does not answer.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let status = try await InstanceStatus.read(store, now: Date())
        try Console(outlivesReader: true).write(StatusReport(status: status), output)
        if !status.isAnswering { throw ExitCode(1) }
    }
}
