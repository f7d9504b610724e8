import ArgumentParser

/// The rules that a command is to switch: some by name, or all.
struct ChosenRules: ParsableArguments {
    @Argument(help: ArgumentHelp("The names of rules.", valueName: "name"))
    private var given: [String] = []

    @Flag(help: "All rules.")
    private var all = false

    /// The names; `nil` for all rules.
    var names: [String]? { all ? nil : given }

    mutating func validate() throws {
        if given.isEmpty, !all { throw ValidationError("name the rules, or give --all; 'inspect rules' lists them") }
        if !given.isEmpty, all { throw ValidationError("--all takes no names") }
    }
}
