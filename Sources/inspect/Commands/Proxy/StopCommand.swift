import ArgumentParser
import Foundation
import Traffic

/// `inspect stop`: ends the proxy that records into a store.
struct StopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Stop the running proxy after its open exchanges.",
        discussion: """
            The proxy waits for open exchanges as long as 'start --drain-seconds' says. It records those that are still open then as failed, writes \
            everything and ends; the command returns after that. The exit status is 1 where the proxy has not ended a while later.
            """
    )

    @OptionGroup var store: StoreOptions

    func run() async throws {
        guard let instance = try InstanceFile.readWriting(for: store.path) else {
            return try Self.say("no proxy records into \(store.path)")
        }
        do {
            let taken = Measure.duration(try await InstanceStop(instance).run())
            try Self.say("stopped process \(instance.pid) in \(taken); everything that passed is in \(store.path)")
        } catch let late as StillStopping {
            Console.remark("inspect: \(late)")
            throw ExitCode(1)
        }
    }

    private static func say(_ line: String) throws {
        try Console.write(Array((VisibleText.line(line) + "\n").utf8), to: STDOUT_FILENO)
    }
}
