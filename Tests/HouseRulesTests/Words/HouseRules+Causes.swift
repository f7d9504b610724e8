extension HouseRules {
    /// The causes that the sources declare: the name of each member, and its word.
    static func causes(in files: [SourceFile]) -> [(member: String, word: String)] {
        files.filter { $0.name.hasPrefix("Cause+") }.flatMap { file in
            file.text.matches(of: /static let (\w+) = Cause\(rawValue: "([^"]*)"\)/).map {
                (member: String($0.output.1), word: String($0.output.2))
            }
        }
    }

    /// A cause is given and compared by its member; its word stands in the files of `Cause` alone.
    ///
    /// A literal is blanks to a rule: what is looked for is a place for a cause with nothing in it.
    static func causeWords(_ file: SourceFile) -> [Violation] {
        guard file.name != "Cause", !file.name.hasPrefix("Cause+") else { return [] }
        let reason = "takes a cause for a text; use or add a member of Cause, or a fact about it"
        return file.violations(
            of: /\b(?:Cause|cause:\s*\.init)\s*\(\s*rawValue:\s{3,}\)/,
            in: "rawValue:",
            because: reason
        )
            + file.violations(of: /\bcause(?::|\s*[!=]=)\s{3,}/, in: "cause", because: reason)
            + file.violations(
                of: /\bcause\.(?:rawValue|description)\s*(?:[!=]=|\.(?:hasPrefix|hasSuffix|contains|starts)\b)/,
                in: "cause.",
                because: reason
            )
            + file.violations(
                of: /(?:[!=]=|\bswitch)\s*[\w.?]*\bcause\.(?:rawValue|description)\b/,
                in: "cause.",
                because: reason
            )
    }
}
