/// Lets a negated term stand on the command line as it is: `inspect ls -host:cdn.test` is a term, not a bundle of options.
enum QueryArguments {
    /// The arguments with a blank before each negated term, which keeps it from being taken for an option and means nothing in a query.
    static func shielded(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        // What follows run is another program's command line, whose options may have colons: curl -uname:password.
        let isRun = arguments.first == RunCommand.configuration.commandName
        return arguments[..<end].enumerated().map { place, word in
            guard isNegatedTerm(word), !isRun || arguments[place - 1] == "--filter" else { return word }
            return " " + word
        } + arguments[end...]
    }

    /// The query of shielded arguments, as the user wrote it.
    static func query(_ terms: [String]) -> String {
        terms.map { $0.hasPrefix(" -") ? String($0.dropFirst()) : $0 }.joined(separator: " ")
    }

    /// Whether an argument is a dash before a group, a phrase or what looks like a key; no option has a colon in its name.
    private static func isNegatedTerm(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), !argument.hasPrefix("--") else { return false }
        let term = argument.dropFirst()
        if let first = term.first, "(\"@".contains(first) { return true }
        let word = term.prefix { $0.isASCII && $0.isLetter }
        return word.count > 1 && term.dropFirst(word.count).first == ":"
    }
}
