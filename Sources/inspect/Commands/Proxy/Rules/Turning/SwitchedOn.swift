/// Rules are on from now on.
enum SwitchedOn: RuleSwitch {
    static let word = "on"
    static let isOn = true
}
