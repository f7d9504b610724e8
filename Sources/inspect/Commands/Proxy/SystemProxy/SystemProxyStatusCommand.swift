import ArgumentParser

/// `inspect system-proxy status`: shows whether the system's settings are inspect's.
struct SystemProxyStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether the system's proxy settings are inspect's (also 'inspect system-proxy' alone)."
    )

    func run() async throws {
        let console = Console()
        for line in try SystemProxy.current.status() { try console.line(line) }
        try console.flush()
    }
}
