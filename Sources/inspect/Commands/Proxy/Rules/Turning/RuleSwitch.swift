/// A way to switch rules.
protocol RuleSwitch {
    /// The word of the command.
    static var word: String { get }
    static var isOn: Bool { get }
}
