import ArgumentParser

/// `inspect ca uninstall`: takes back what `ca install` did.
struct CAUninstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Take the root out of this machine's stores again.",
        discussion: """
            It asks first. A store that nothing else changed since becomes what it was before, byte for byte. From any other, and from that of \
            a browser that is open, it takes out the root alone. Exit status 1 means that it failed at some place; the others are done all the same.

            Example:
              inspect ca uninstall --yes
            """
    )

    @OptionGroup var trust: TrustOptions

    func run() async throws { try await trust.run(.uninstall) }
}
