import ArgumentParser

/// `inspect system-proxy status`: shows whether the system's settings are inspect's.
struct SystemProxyStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether the system's proxy settings are inspect's (also 'inspect system-proxy' alone)."
    )

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try Console().write(SystemProxyStatusReport(status: try SystemProxy.current.status()), output)
    }
}
