import ArgumentParser
import Traffic

/// `inspect rules on`: switches rules of the running proxy on.
struct RulesOnCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Switch rules of the running proxy on.",
        discussion: """
            That holds from the next request on, until the proxy stops or the rule's file switches it otherwise. The file stays as it is.

            Examples:
              inspect rules on staging
              inspect rules on --all
            """
    )

    @OptionGroup var chosen: ChosenRules
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let list = try await RunningRuleList(store).turn(chosen.names, isOn: true)
        let console = Console()
        try console.line(ChosenRules.sentence(list))
        try console.flush()
    }
}
