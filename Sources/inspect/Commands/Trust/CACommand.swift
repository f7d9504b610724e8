import ArgumentParser

/// `inspect ca`: this user's root certificate.
struct CACommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ca",
        abstract: "Show, export, install or remove the root certificate.",
        discussion: "Clients must trust the root so that inspect can read their HTTPS.",
        subcommands: [CAGuideCommand.self, CAExportCommand.self, CAInstallCommand.self, CAUninstallCommand.self],
        defaultSubcommand: CAGuideCommand.self
    )
}
