import ArgumentParser
import Foundation

/// `inspect env`: what `run` gives a command, for a shell.
struct EnvCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print the variables that send a shell to the proxy.",
        discussion: """
            The programs that the shell starts go through the running proxy and trust its root.

            Example:
              eval "$(inspect env)"
            """
    )

    @OptionGroup var store: StoreOptions
    @OptionGroup var authority: CAOptions

    func run() async throws {
        guard let running = try InstanceFile.read(for: store.path) else {
            throw InputError(
                "no proxy is running on \(store.path); start one with 'inspect start' and the same --store"
            )
        }
        let place = try ProxyPlace(explicitOf: running)
        let environment = ProcessInfo.processInfo.environment
        let trust = try ClientTrust(authority: authority.signing(place), environment: environment)
        let variables = ClientEnvironment(place: place, trust: trust, environment: environment)
        let console = Console()
        try console.write(Array(variables.shellLines.utf8))
        try console.flush()
    }
}
