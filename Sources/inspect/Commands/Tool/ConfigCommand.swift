import ArgumentParser

/// `inspect config`: what sets the options of `start`.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show what sets each option; check a configuration.",
        discussion: """
            A configuration file is YAML. It holds options of 'inspect start' under their long names, and profiles that set more of them.

              web-port: 9191
              pass-through: [bank.test, "*.push.test"]
              profiles:
                ci: {port: 0, web-port: 0, session: ci}

            Each option is also a variable, as INSPECT_WEB_PORT; several values stand on lines of their own. A flag wins over a variable, and a \
            variable over the file. 'store' and 'ca-directory' of the file hold for every command.
            """,
        subcommands: [ConfigShowCommand.self, ConfigCheckCommand.self],
        defaultSubcommand: ConfigShowCommand.self
    )
}
