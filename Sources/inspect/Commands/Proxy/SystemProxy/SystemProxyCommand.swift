import ArgumentParser

/// `inspect system-proxy`: sends this user's programs through the running proxy by the system's own settings.
struct SystemProxyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "system-proxy",
        abstract: "Send this user's programs through the proxy.",
        discussion: """
            'on' changes GNOME's settings, a file under environment.d, and on macOS the network services. A file that only you can read keeps the \
            settings of before. They are put back by 'off', when the proxy ends, and by the next start after a crash. 'inspect start --system-proxy' \
            does both by itself.

            Examples:
              inspect system-proxy on --dry-run
              inspect system-proxy on --only gnome
              inspect system-proxy off
            """,
        subcommands: [SystemProxyOnCommand.self, SystemProxyOffCommand.self, SystemProxyStatusCommand.self],
        defaultSubcommand: SystemProxyStatusCommand.self
    )
}
