import ArgumentParser

/// `inspect system-proxy status`: how the settings stand.
struct SystemProxyStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether the system's proxy settings are inspect's (what 'inspect system-proxy' alone does)."
    )

    func run() async throws {
        let console = Console()
        for line in try SystemProxy.current.status() { try console.line(line) }
        try console.flush()
    }
}
