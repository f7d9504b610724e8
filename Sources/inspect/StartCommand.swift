import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle

/// `inspect start`: the proxy and its page, until a signal stops them.
struct StartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Run the proxy and its page, and record what passes.",
        discussion: """
            Point a client at the proxy and let it trust the root certificate ('inspect ca' shows how). Everything that passes is recorded \
            into the store, which every other command reads, now or later. Ctrl-C stops it after open exchanges have ended.
            """
    )

    @OptionGroup var options: StartOptions

    func run() async throws {
        let logger = Logger(label: "inspect") { _ in SwiftLogNoOpLogHandler() }
        try await ServiceGroup(
            services: [StartService(options: options)],
            gracefulShutdownSignals: [.sigint, .sigterm],
            logger: logger
        ).run()
    }
}

/// Runs an instance until the service group shuts down.
private struct StartService: Service {
    let options: StartOptions

    func run() async throws {
        try await Instance(options: options).run { instance in
            try Console.write(Array(StartGuide(options: options, instance: instance).text.utf8), to: 1)
            for warning in instance.warnings {
                try Console.write(Array("inspect: note: \(TerminalText.escaped(warning))\n".utf8), to: STDERR_FILENO)
            }
            try? await gracefulShutdown()
        }
    }
}
