/// A way to switch rules.
protocol RuleSwitch {
    /// The word of the command.
    static var word: String { get }
    static var isOn: Bool { get }
}

/// Rules are on from now on.
enum SwitchedOn: RuleSwitch {
    static let word = "on"
    static let isOn = true
}

/// Rules are off from now on.
enum SwitchedOff: RuleSwitch {
    static let word = "off"
    static let isOn = false
}
