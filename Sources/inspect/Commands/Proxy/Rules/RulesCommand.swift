import ArgumentParser

/// `inspect rules`: what changes traffic in flight.
struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Check and try rules, which change traffic in flight.",
        discussion: """
            Rules stand in YAML files. 'inspect man changing-traffic' describes them.

            Examples:
              inspect rules check rules.yaml
              inspect rules try rules.yaml 'host:api.example.com since:1h'
            """,
        subcommands: [RulesCheckCommand.self, RulesTryCommand.self]
    )
}
