import ArgumentParser

/// `inspect ca`: this user's root certificate.
struct CACommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ca",
        abstract:
            "Show the root certificate that clients must trust, and how to trust it; export it; have this machine trust it.",
        subcommands: [CAGuideCommand.self, CAExportCommand.self, CAInstallCommand.self, CAUninstallCommand.self],
        defaultSubcommand: CAGuideCommand.self
    )
}
