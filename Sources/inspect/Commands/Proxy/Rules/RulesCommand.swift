import ArgumentParser

/// `inspect rules`: what changes traffic in flight.
struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Show, check, try and switch rules, which change traffic.",
        discussion: """
            Rules stand in YAML files. 'inspect man changing-traffic' describes them.

            Examples:
              inspect start --rules rules.yaml
              inspect rules
              inspect rules off staging
              inspect rules check rules.yaml
              inspect rules try rules.yaml 'host:api.example.com since:1h'
            """,
        subcommands: [
            RulesListCommand.self, RulesCheckCommand.self, RulesTryCommand.self, RulesOnCommand.self,
            RulesOffCommand.self,
        ],
        defaultSubcommand: RulesListCommand.self
    )
}
