import ArgumentParser

/// `inspect rules`: what changes traffic in flight.
struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Show, try and switch rules that change traffic.",
        discussion: """
            Rules change requests and responses on their way, or answer in a server's place. They stand in YAML files; \
            'inspect man changing-traffic' describes them.

            Examples:
              inspect start --rules rules.yaml
              inspect rules
              inspect rules off staging
              inspect rules from 17 > rules.yaml
              inspect rules import rewrite.xml > rules.yaml
              inspect rules check rules.yaml
              inspect rules try rules.yaml 'host:api.example.com since:1h'
            """,
        subcommands: [
            RulesListCommand.self, RulesCheckCommand.self, RulesTryCommand.self, RulesTurnCommand<SwitchedOn>.self,
            RulesTurnCommand<SwitchedOff>.self, RulesFromCommand.self, RulesImportCommand.self,
        ],
        defaultSubcommand: RulesListCommand.self
    )
}
