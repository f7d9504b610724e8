import ArgumentParser
import Traffic

/// `inspect rules on` and `inspect rules off`: switch rules of the running proxy.
struct RulesTurnCommand<Way: RuleSwitch>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Way.word,
            abstract: "Switch rules of the running proxy \(Way.word).",
            discussion: """
                That holds from the next request on, until the proxy stops or the rule's file switches it otherwise. The file stays as it is.

                Examples:
                  inspect rules \(Way.word) staging
                  inspect rules \(Way.word) --all
                """
        )
    }

    @OptionGroup var chosen: ChosenRules
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let list = try await RunningRuleList(store).turn(chosen.names, isOn: Way.isOn)
        let console = Console()
        try console.line(list.sentence)
        try console.flush()
    }
}
