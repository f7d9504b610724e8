import ArgumentParser

/// `inspect ca install`: has this machine trust the root.
struct CAInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Have this machine's programs trust the root: the system, browsers, Java; asks first.",
        discussion: """
            Without --system, --browser or --java, all of them that this machine has. The commands are shown before anything is changed, and copies of what \
            they change are kept beside the root, for 'inspect ca uninstall'.

            Examples:
              inspect ca install --dry-run
              inspect ca install --browser
            """
    )

    @OptionGroup var trust: TrustOptions

    func run() async throws { try await trust.run(.install) }
}
