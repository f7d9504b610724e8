import ArgumentParser

/// `inspect system-proxy`: this user's programs through the running proxy, by the system's own settings.
struct SystemProxyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "system-proxy",
        abstract: "Send this user's programs through the running proxy by the system's settings; put them back.",
        discussion: """
            Changed are GNOME's settings, a file under environment.d, and on macOS the network services. How they were is kept in a file that only you read, and put \
            back by 'off', when the proxy ends, and by the next start where it was killed. 'inspect start --system-proxy' does both by itself.

            Examples:
              inspect system-proxy on --dry-run
              inspect system-proxy on --only gnome
              inspect system-proxy off
            """,
        subcommands: [SystemProxyOnCommand.self, SystemProxyOffCommand.self, SystemProxyStatusCommand.self],
        defaultSubcommand: SystemProxyStatusCommand.self
    )
}
