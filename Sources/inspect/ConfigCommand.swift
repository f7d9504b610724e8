import ArgumentParser

/// `inspect config`: what sets the options of `start`.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show what sets the options of 'start', and check a configuration file.",
        discussion: """
            A configuration file is YAML: every option of 'inspect start' under its long name, and profiles that set more of them.

              web-port: 9191
              pass-through: [bank.test, "*.push.test"]
              profiles:
                ci: {port: 0, web-port: 0, session: ci}

            Each option is also a variable, as INSPECT_WEB_PORT; several values stand on lines of their own. Flags go before variables, and those before \
            the file. 'store' and 'ca-directory' of the file hold for every command.
            """,
        subcommands: [ConfigShowCommand.self, ConfigCheckCommand.self],
        defaultSubcommand: ConfigShowCommand.self
    )
}
