/// What a running proxy tells of its rules, and how they are switched on and off.
package protocol RuleControl: Sendable {
    /// The rules in force, with their counters; `nil` where there are none.
    var list: RuleList? { get }

    /// The files and directories that the rules came from, as absolute paths.
    var files: [String] { get }

    /// What is wrong with the files as they are now, a line for each place; empty where the rules in force are those of the files.
    var problems: [String] { get }

    /// Switches rules on or off, until the proxy stops or their file says otherwise.
    ///
    /// - Parameters:
    ///   - names: the rules' names; `nil` for all rules.
    ///   - isOff: whether they are off from now on.
    /// - Throws: `UnknownRules` for names of no rule; then none is switched.
    func turn(_ names: [String]?, isOff: Bool) throws(UnknownRules)
}
