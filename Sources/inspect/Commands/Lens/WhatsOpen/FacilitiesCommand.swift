import ArgumentParser

/// `inspect facilities`: the facilities of captured What's Open answers, one of them, and the campus's alerts.
struct FacilitiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facilities",
        abstract: "List captured facilities, explain one, or list alerts.",
        discussion: """
            A slug or a name shows that facility alone. 'inspect help facilities list' has the options of the list and of one facility.

            Examples:
              inspect facilities --open-now --campus fairfax --search coffee
              inspect facilities rivanna-kitchen --why
              inspect facilities alerts --all --urgency major,emergency
            """,
        subcommands: [FacilityListCommand.self, AlertsCommand.self],
        defaultSubcommand: FacilityListCommand.self
    )
}
