import ArgumentParser

/// `inspect ca install`: makes this machine's programs trust the root.
struct CAInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Have this machine's programs trust the root.",
        discussion: """
            Without --system, --browser or --java it takes all of them that this machine has. It shows the commands and asks before it changes \
            anything. Copies of what it changes are kept beside the root, for 'inspect ca uninstall'. Exit status 1 means that it failed at some \
            place; the others are done all the same.

            Examples:
              inspect ca install --dry-run
              inspect ca install --browser
            """
    )

    @OptionGroup var trust: TrustOptions

    func run() async throws { try await trust.run(.install) }
}
