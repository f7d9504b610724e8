import ArgumentParser
import Foundation
import Proxy
import ServiceLifecycle
import Traffic
import UnixSignals

/// `inspect tail`: prints rows as they come, until interrupted.
struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Print matching exchanges as they are recorded.",
        discussion: """
            The command works beside a running proxy until it is interrupted. It prints an exchange that stays open when it is first seen and again \
            when it has ended.

            Examples:
              inspect tail '(code:4xx,5xx or outcome:failed) type:json'
              inspect tail --last 20 --jsonl
            """
    )

    @Option(help: ArgumentHelp("Begin with this many of the newest rows.", valueName: "n"))
    var last: Int = 0

    @Flag(help: "Print one JSON object a line for each exchange.")
    var jsonl = false

    @OptionGroup var colours: ColourOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    mutating func validate() throws {
        if last < 0 { throw ValidationError("--last \(last): expected 0 or more") }
    }

    func run() async throws {
        let store = try store.openForReading()
        let follower = TailService(
            store: store,
            filter: try filter.selector().filter(in: store, now: Date(), mayCome: true),
            last: last,
            printsJSON: jsonl,
            colours: colours.choice
        )
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: follower, successTerminationBehavior: .gracefullyShutdownGroup)],
                gracefulShutdownSignals: [.sigint, .sigterm],
                logger: .silent
            )
        )
        try await group.run()
    }
}
