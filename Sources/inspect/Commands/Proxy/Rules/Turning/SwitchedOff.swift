/// Rules are off from now on.
enum SwitchedOff: RuleSwitch {
    static let word = "off"
    static let isOn = false
}
