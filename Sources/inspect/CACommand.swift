import ArgumentParser

/// `inspect ca`: this user's root certificate.
struct CACommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ca",
        abstract: "Show the root certificate that clients must trust, and how to trust it; or export it.",
        subcommands: [CAGuideCommand.self, CAExportCommand.self],
        defaultSubcommand: CAGuideCommand.self
    )
}
