import ArgumentParser
import Traffic

/// `inspect rules off`: switches rules of the running proxy off.
struct RulesOffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Switch rules of the running proxy off.",
        discussion: """
            That holds from the next request on, until the proxy stops or the rule's file switches it otherwise. The file stays as it is.

            Examples:
              inspect rules off staging
              inspect rules off --all
            """
    )

    @OptionGroup var chosen: ChosenRules
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let list = try await RunningRuleList(store).turn(chosen.names, isOn: false)
        let console = Console()
        try console.line(ChosenRules.sentence(list))
        try console.flush()
    }
}
