/// Names that no rule in force has.
package struct UnknownRules: Error, Hashable, CustomStringConvertible {
    /// The names, each once.
    package let names: [String]
    /// The names of rules that were probably meant, where there are such.
    let guesses: [String: String]

    /// - Parameters:
    ///   - names: the names of no rule.
    ///   - known: the names of the rules in force.
    package init(_ names: [String], known: [String]) {
        self.names = names
        // Each guess is held against every name there is.
        guesses = names.prefix(10).reduce(into: [:]) { $0[$1] = EditDistance.nearest(to: $1, in: known) }
    }

    /// `no rule is named 'stagin'; did you mean 'staging'?`.
    package var description: String {
        names.map { name in
            "no rule is named '\(name)'" + (guesses[name].map { "; did you mean '\($0)'?" } ?? "")
        }
        .joined(separator: "; ")
    }
}
